#version 330 core
// A corner of a box's face, placed already.
layout(location = 0) in vec3 place;     // in the picture: -1…1, and its depth
layout(location = 1) in vec4 faceSide;  // px from the face's two low edges, and from them to the high ones
layout(location = 2) in vec4 faceFill;
layout(location = 3) in vec4 faceEdge;

flat out vec2 size;
flat out vec4 fill;
flat out vec4 edge;
out vec2 onFace;

void main() {
  gl_Position = vec4(place, 1.0);
  onFace = faceSide.xy;
  size = faceSide.zw;
  fill = faceFill;
  edge = faceEdge;
}
