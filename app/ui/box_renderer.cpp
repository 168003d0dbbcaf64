#include "app/ui/box_renderer.h"

#include <glad/glad.h>
#include <tileloom_shaders.h>

#include <cmath>
#include <cstddef>
#include <utility>

namespace loom::views {

namespace {

constexpr int kSamples = 4;
constexpr float kThrough = 0.42F;  // of what veils a lit box is seen

std::string logOf(unsigned object, bool program) {
  char text[1024] = {};
  program ? glGetProgramInfoLog(object, sizeof text, nullptr, text)
          : glGetShaderInfoLog(object, sizeof text, nullptr, text);
  return *text != 0 ? text : "the driver gives no reason";
}

float channel(std::uint32_t colour, int shift) { return float(colour >> shift & 0xff) / 255.0F; }

}  // namespace

BoxPicture::BoxPicture() : BoxPicture(kBoxesVert, kBoxesFrag) {}

BoxPicture::BoxPicture(std::string vertex, std::string fragment)
    : vertex_(std::move(vertex)), fragment_(std::move(fragment)) {}

BoxPicture::~BoxPicture() {
  release();
  if (program_ != 0) glDeleteProgram(program_);
  if (buffer_ != 0) glDeleteBuffers(1, &buffer_);
  if (array_ != 0) glDeleteVertexArrays(1, &array_);
}

void BoxPicture::finish() { glFinish(); }

void BoxPicture::warm() {
  const Box box{{-1, -1, -1}, {1, 1, 1}, 0xffffffff, 0xff000000};
  for (const bool smooth : {false, true}) {
    BoxView view;
    view.pixels = 4;
    view.width = view.height = 16;
    view.smooth = smooth;
    draw({&box, 1}, {&box, 1}, view);
  }
  finish();
  drawn_ = 0;
}

unsigned BoxPicture::compile(unsigned kind, const std::string& text) {
  const unsigned shader = glCreateShader(kind);
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  int compiled = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled != 0) return shader;
  problem_ = std::string(kind == GL_VERTEX_SHADER ? "boxes.vert: " : "boxes.frag: ") + logOf(shader, false);
  glDeleteShader(shader);
  return 0;
}

bool BoxPicture::prepare() {
  if (prepared_) return !problem_;
  prepared_ = true;
  const unsigned vertex = compile(GL_VERTEX_SHADER, vertex_);
  const unsigned fragment = vertex != 0 ? compile(GL_FRAGMENT_SHADER, fragment_) : 0;
  if (fragment != 0) {
    program_ = glCreateProgram();
    glAttachShader(program_, vertex);
    glAttachShader(program_, fragment);
    glLinkProgram(program_);
    int linked = 0;
    glGetProgramiv(program_, GL_LINK_STATUS, &linked);
    if (linked == 0) problem_ = "boxes: " + logOf(program_, true);
  }
  if (vertex != 0) glDeleteShader(vertex);
  if (fragment != 0) glDeleteShader(fragment);
  if (problem_) return false;

  glGenVertexArrays(1, &array_);
  glGenBuffers(1, &buffer_);
  int bound = 0;
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
  glBindVertexArray(array_);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_);
  auto at = [](std::size_t member) { return reinterpret_cast<const void*>(member); };
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Corner), at(offsetof(Corner, place)));
  glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(Corner), at(offsetof(Corner, side)));
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Corner), at(offsetof(Corner, fill)));
  glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Corner), at(offsetof(Corner, edge)));
  for (unsigned i = 0; i < 4; ++i) glEnableVertexAttribArray(i);
  glBindVertexArray(unsigned(bound));
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  return true;
}

void BoxPicture::release() {
  for (unsigned& texture : textures_) {
    if (texture != 0) glDeleteTextures(1, &texture);
    texture = 0;
  }
  for (unsigned* target : {&targets_[0], &targets_[1], &samples_}) {
    if (*target != 0) glDeleteFramebuffers(1, target);
    *target = 0;
  }
  for (unsigned* store : {&sampleColour_, &sampleDepth_, &depth_}) {
    if (*store != 0) glDeleteRenderbuffers(1, store);
    *store = 0;
  }
}

bool BoxPicture::allocate(int width, int height, bool smooth) {
  if (width == width_ && height == height_ && smooth == smooth_ && textures_[0] != 0) return true;
  const bool sameSize = width == width_ && height == height_ && textures_[0] != 0;
  width_ = width;
  height_ = height;
  smooth_ = smooth;
  auto store = [&](unsigned& buffer, unsigned format, int samples, unsigned attachment) {
    if (buffer == 0) glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    samples > 0 ? glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height)
                : glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
  };
  auto whole = [&] {
    const unsigned status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status == GL_FRAMEBUFFER_COMPLETE) return true;
    problem_ = "a picture of " + std::to_string(width) + " × " + std::to_string(height) +
               " can't be drawn into: framebuffer status " + std::to_string(status);
    return false;
  };
  if (!sameSize) {
    release();
    glGenTextures(2, textures_.data());
    glGenFramebuffers(2, targets_.data());
    for (std::size_t i = 0; i < 2; ++i) {
      glBindTexture(GL_TEXTURE_2D, textures_[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
      glBindFramebuffer(GL_FRAMEBUFFER, targets_[i]);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures_[i], 0);
      store(depth_, GL_DEPTH_COMPONENT24, 0, GL_DEPTH_ATTACHMENT);
      if (!whole()) return false;
    }
  }
  if (smooth && samples_ == 0) {
    glGenFramebuffers(1, &samples_);
    glBindFramebuffer(GL_FRAMEBUFFER, samples_);
    store(sampleColour_, GL_RGBA8, kSamples, GL_COLOR_ATTACHMENT0);
    store(sampleDepth_, GL_DEPTH_COMPONENT24, kSamples, GL_DEPTH_ATTACHMENT);
    if (!whole()) return false;
  }
  return true;
}

// The faces of a box that look to the viewer, as triangles.
void BoxPicture::add(const Box& box, const BoxView& view) {
  const auto& m = view.rotation;
  const float x = 2 * view.pixels / float(view.width), y = 2 * view.pixels / float(view.height);
  for (std::size_t d = 0; d < 3; ++d) {
    const float facing = m[6 + d];
    if ((box.hidden >> d & 1) != 0 || std::abs(facing) < 1e-4F) continue;
    const std::size_t a = (d + 1) % 3, b = (d + 2) % 3;
    std::array<float, 3> corner{};
    for (std::size_t k = 0; k < 3; ++k) corner[k] = box.from[k] - view.centre[k];
    if (facing > 0) corner[d] = box.to[d] - view.centre[d];
    auto turned = [&](const std::array<float, 3>& v) {
      std::array<float, 3> out{};
      for (std::size_t r = 0; r < 3; ++r) out[r] = m[3 * r] * v[0] + m[3 * r + 1] * v[1] + m[3 * r + 2] * v[2];
      return out;
    };
    const std::array<float, 3> at = turned(corner);
    std::array<float, 3> along{}, across{};
    const float sideA = box.to[a] - box.from[a], sideB = box.to[b] - box.from[b];
    for (std::size_t r = 0; r < 3; ++r) {
      along[r] = m[3 * r + a] * sideA;
      across[r] = m[3 * r + b] * sideB;
    }
    const float area = std::abs(along[0] * across[1] - along[1] * across[0]) * view.pixels * view.pixels;
    const float lengthA = std::hypot(along[0], along[1]) * view.pixels,
                lengthB = std::hypot(across[0], across[1]) * view.pixels;
    if (area < 1e-3F) continue;
    area_ += area;
    const float heightA = area / lengthB, heightB = area / lengthA;  // between opposite edges
    std::uint32_t fill = box.fill & IM_COL32_A_MASK;
    for (int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT}) {
      fill |= std::uint32_t(float(box.fill >> shift & 0xff) * kFaceShade[d]) << shift;
    }
    auto put = [&](float u, float v) {
      Corner c;
      const float depth = at[2] + u * along[2] + v * across[2];
      c.place = {(at[0] + u * along[0] + v * across[0]) * x, (at[1] + u * along[1] + v * across[1]) * y,
                 -depth / view.depth};
      c.side = {u * heightA, v * heightB, heightA, heightB};
      c.fill = fill;
      c.edge = box.edge;
      corners_.push_back(c);
    };
    put(0, 0);
    put(1, 0);
    put(1, 1);
    put(0, 0);
    put(1, 1);
    put(0, 1);
  }
}

bool BoxPicture::draw(std::span<const Box> lit, std::span<const Box> veiled, const BoxView& view) {
  if (!prepare() || problem_) return false;
  int framebuffer = 0, texture = 0, array = 0, program = 0, viewport[4] = {};
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer);
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
  glGetIntegerv(GL_CURRENT_PROGRAM, &program);
  glGetIntegerv(GL_VIEWPORT, viewport);
  const bool scissor = glIsEnabled(GL_SCISSOR_TEST) == GL_TRUE, blend = glIsEnabled(GL_BLEND) == GL_TRUE,
             cull = glIsEnabled(GL_CULL_FACE) == GL_TRUE;

  const bool there = allocate(view.width, view.height, view.smooth);
  if (there) {
    front_ = 1 - front_;
    ++drawn_;
    glBindFramebuffer(GL_FRAMEBUFFER, view.smooth ? samples_ : targets_[std::size_t(front_)]);
    glViewport(0, 0, view.width, view.height);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(channel(view.ground, IM_COL32_R_SHIFT), channel(view.ground, IM_COL32_G_SHIFT),
                 channel(view.ground, IM_COL32_B_SHIFT), 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glUseProgram(program_);
    glUniform1f(glGetUniformLocation(program_, "line"), view.line);
    glBindVertexArray(array_);
    glBindBuffer(GL_ARRAY_BUFFER, buffer_);
    corners_.clear();
    area_ = 0;
    for (const Box& box : lit) add(box, view);
    const auto litCorners = int(corners_.size());
    for (const Box& box : veiled) add(box, view);
    glBufferData(GL_ARRAY_BUFFER, std::ptrdiff_t(corners_.size() * sizeof(Corner)), corners_.data(), GL_STREAM_DRAW);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glDisable(GL_CULL_FACE);  // only faces to the viewer are there
    // Lit boxes leave in the alpha channel how much of what comes before them is to be seen.
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendColor(0, 0, 0, kThrough);
    glBlendFuncSeparate(GL_ONE, GL_ZERO, GL_CONSTANT_ALPHA, GL_ZERO);
    glDrawArrays(GL_TRIANGLES, 0, litCorners);
    // Nearest first: of those that veil a place only the first passes the depth test, and blends once.
    glBlendFuncSeparate(GL_DST_ALPHA, GL_ONE_MINUS_DST_ALPHA, GL_ZERO, GL_ONE);
    glDrawArrays(GL_TRIANGLES, litCorners, int(corners_.size()) - litCorners);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    glClear(GL_COLOR_BUFFER_BIT);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDisable(GL_DEPTH_TEST);
    if (view.smooth) {
      glBindFramebuffer(GL_READ_FRAMEBUFFER, samples_);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, targets_[std::size_t(front_)]);
      glBlitFramebuffer(0, 0, view.width, view.height, 0, 0, view.width, view.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
  }

  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, unsigned(framebuffer));
  glBindTexture(GL_TEXTURE_2D, unsigned(texture));
  glBindVertexArray(unsigned(array));
  glUseProgram(unsigned(program));
  glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
  if (scissor) glEnable(GL_SCISSOR_TEST);
  if (!blend) glDisable(GL_BLEND);
  if (cull) glEnable(GL_CULL_FACE);
  return there;
}

}  // namespace loom::views
