#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/script/lexer.h"
#include "core/script/python_ast.h"

using namespace loom::script;
using testing::HasSubstr;

namespace {

std::string kinds(std::string_view text) {
  SourceText source{text, "t.py"};
  auto tokens = tokenize(source);
  if (!tokens) return tokens.error().message.english();
  std::string s;
  for (const auto& t : *tokens) s += "NIFSOn><E"[static_cast<int>(t.kind)];
  return s;
}

TEST(Lexer, MarksLinesAndIndentation) {
  EXPECT_EQ(kinds("a = 1\n"), "NOInE");
  EXPECT_EQ(kinds("if a:\n  b\nc"), "NNOn>Nn<NnE");
  EXPECT_EQ(kinds("if a:\n  b"), "NNOn>Nn<E");
  EXPECT_EQ(kinds(""), "E");
  EXPECT_EQ(kinds("\n  # only a comment\n\n"), "E");
}

TEST(Lexer, JoinsLinesInBracketsAndAfterBackslashes) {
  EXPECT_EQ(kinds("f(a,\n   b)\n"), "NONONOnE");
  EXPECT_EQ(kinds("a + \\\n b\n"), "NONnE");
  EXPECT_EQ(kinds("(\n# comment\n)\r\n"), "OOnE");
}

TEST(Lexer, ReadsNumbersAndStrings) {
  EXPECT_EQ(kinds("1 0x1F 1_000 1.5 .5 1e-3 2."), "IIIFFFFnE");
  EXPECT_EQ(kinds("'a' \"b\" '''c\nd''' r'\\n'"), "SSSSnE");
  SourceText source{R"('a\n\x41\'')", ""};
  auto tokens = tokenize(source);
  ASSERT_TRUE(tokens);
  EXPECT_EQ(*stringValue(source, tokens->front()), "a\nA'");
}

// The printer, as TVM's, writes text outside ASCII by its bytes: it must read back, or a document with a Chinese note
// is lost.
TEST(Lexer, BytesOfUtf8ReadBack) {
  auto valueOf = [](std::string_view text) {
    SourceText source{text, ""};
    return stringValue(source, tokenize(source)->front());
  };
  EXPECT_EQ(*valueOf(R"('v\xC3\xA9\xe4\xb8\xad.\x01')"), "v\xC3\xA9\xe4\xb8\xad.\x01");
  EXPECT_EQ(*valueOf(R"('é')"), "\xC3\xA9");
  for (const char* none : {R"('\xe9')", R"('\xC3')", R"('\xC3(')", R"('\xA9\xC3')", R"('\xff\xfe')"}) {
    auto value = valueOf(none);
    ASSERT_FALSE(value) << none;
    EXPECT_THAT(value.error().message.english(), HasSubstr("UTF-8"));
  }
}

TEST(Lexer, ReadsPythonsEscapesOfCharacters) {
  auto valueOf = [](const char* text) {
    const SourceText source{text, ""};
    return stringValue(source, tokenize(source)->front());
  };
  EXPECT_EQ(*valueOf(R"('\u00e9\u0416\u4e2d\U0001F600')"), "\xC3\xA9\xD0\x96\xE4\xB8\xAD\xF0\x9F\x98\x80");
  EXPECT_EQ(*valueOf(R"('\7\012\1018\303\251')"), "\a\nA8\xC3\xA9") << "one to three octal digits";
  EXPECT_EQ(valueOf(R"('\0')")->size(), 1U);
  for (const char* none : {R"('\u00e')", R"('\ud800')", R"('\U00110000')", R"('\400')", R"('\x4')", R"('\377')",
                           "'C\xFF'", "r'\xFF'", "'\xC3'"}) {
    EXPECT_FALSE(valueOf(none)) << none;
  }
}

TEST(Lexer, KnowsWhereTokensStand) {
  SourceText source{"a\n  = b", "t.py"};
  auto tokens = tokenize(SourceText{"f(\n  x)", "t.py"});
  ASSERT_TRUE(tokens);
  EXPECT_EQ((*tokens)[2].line, 2);
  EXPECT_EQ((*tokens)[2].column, 3);
  EXPECT_EQ(source.place(2, 3).text, "  = b");
}

TEST(Lexer, RefusesWhatIsNoPython) {
  EXPECT_THAT(kinds("(a]"), HasSubstr("expected ')'"));
  EXPECT_THAT(kinds("a)"), HasSubstr("closes none"));
  EXPECT_THAT(kinds("(a"), HasSubstr("closes this one"));
  EXPECT_THAT(kinds("'abc"), HasSubstr("quote"));
  EXPECT_THAT(kinds("'''abc\n"), HasSubstr("quote"));
  EXPECT_THAT(kinds("1a"), HasSubstr("number"));
  EXPECT_THAT(kinds("a $ b"), HasSubstr("no operator"));
  EXPECT_THAT(kinds("caf\xc3\xa9 = 1"), HasSubstr("ASCII"));
  EXPECT_THAT(kinds("if a:\n    b\n  c\n"), HasSubstr("indentation"));
  EXPECT_THAT(kinds(std::string(200, '(')), HasSubstr("100 deep"));
  EXPECT_THAT(kinds(std::string("a\0b", 3)), HasSubstr("control character"));
}

TEST(Lexer, RefusesIntegersBeyond64Bits) {
  SourceText source{"18446744073709551616", ""};
  auto tokens = tokenize(source);
  ASSERT_TRUE(tokens);
  EXPECT_FALSE(integerValue(source, tokens->front()));
}

TEST(PythonAst, GroupsByPrecedence) {
  auto n = parseExpression({"a + b * c < d and not e", ""});
  ASSERT_TRUE(n);
  EXPECT_EQ((*n)->kind, NodeKind::And);
  EXPECT_EQ((*n)->children[0]->kind, NodeKind::Compare);
  EXPECT_EQ((*n)->children[0]->children[0]->children[1]->text, "*");
  EXPECT_EQ((*n)->children[1]->text, "not");
}

TEST(PythonAst, ReadsCallsSlicesAndLambdas) {
  auto n = parseExpression({"f(*a[-2:], k=lambda i, j: (j, i))", ""});
  ASSERT_TRUE(n);
  EXPECT_EQ((*n)->children[1]->kind, NodeKind::Starred);
  EXPECT_EQ((*n)->keywords[0].value->parameters, (std::vector<std::string>{"i", "j"}));
}

TEST(PythonAst, SaysWhatItExpected) {
  auto message = [](std::string_view text) { return parseExpression({text, ""}).error().message.english(); };
  EXPECT_THAT(message("f(a, b=1, c)"), HasSubstr("keyword argument"));
  EXPECT_THAT(message("a +"), HasSubstr("expected an expression, found the end of the line"));
  EXPECT_THAT(message("a b"), HasSubstr("found 'b'"));
  EXPECT_THAT(message("[x for x y]"), HasSubstr("expected 'in', found 'y'"));
  EXPECT_THAT(message("f'{x'"), HasSubstr("expected '}' after this"));
  EXPECT_THAT(message("f'{x!q}'"), HasSubstr("expected !r, !s or !a"));
  EXPECT_THAT(message("f'a } b'"), HasSubstr("a single '}'"));
  EXPECT_THAT(message("f(a=1, a=2)"), HasSubstr("given twice"));
  EXPECT_THAT(message("x[]"), HasSubstr("an index"));
}

TEST(PythonAst, RefusesDepthBeforeTheStackDoes) {
  std::string chain = "a";
  for (int i = 0; i < 100000; ++i) chain += "+a";
  EXPECT_THAT(parseExpression({chain, ""}).error().message.english(), HasSubstr("too deeply"));
  EXPECT_THAT(parseExpression({std::string(100000, '-') + "a", ""}).error().message.english(), HasSubstr("too deeply"));
  std::string nots;
  for (int i = 0; i < 100000; ++i) nots += "not ";
  EXPECT_THAT(parseExpression({nots + "a", ""}).error().message.english(), HasSubstr("too deeply"));
}

}  // namespace
