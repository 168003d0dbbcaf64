#version 330 core
// Flat faces with lines along their edges, as wide in pixels whatever the size of the face.
flat in vec2 size;
flat in vec4 fill;
flat in vec4 edge;
in vec2 onFace;  // px

uniform float line;  // width of an edge's half on this face, px

out vec4 colour;

void main() {
  vec2 inside = min(onFace, size - onFace);
  // Faces of a few pixels would be nothing but edges.
  float room = clamp((min(size.x, size.y) - 2.0 * line) / (6.0 * line), 0.0, 1.0);
  float drawn = clamp(line + 0.5 - min(inside.x, inside.y), 0.0, 1.0) * room;
  colour = vec4(mix(fill.rgb, edge.rgb, drawn), fill.a);
}
