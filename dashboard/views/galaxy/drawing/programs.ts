// The programs that run on the graphics card: dust of galaxies, stars, fleets, lines and battles. The position of a fleet follows
// from its leg and the time of the world alone, so a frame costs no work for each fleet.
import { createProgramInfo, type ProgramInfo } from 'twgl.js';

/** How far the way of a fleet bends to its left, as a share of its length: ways there and back lie beside each other. */
export const BEND_SHARE = 0.06;
/** How long a battle is seen. */
export const FLASH_SECONDS = 2.6;

const PRECISION = 'precision highp float;\n';

/** A spot is (column, row, x, y). The camera is subtracted part by part: the sum would have too few digits. */
const CAMERA = `${PRECISION}
uniform vec4 u_camera;
uniform vec2 u_clipPerCell, u_extent;
uniform float u_pixelRatio;
vec2 seen(vec4 spot) { return (spot.xy - u_camera.xy) + (spot.zw - u_camera.zw); }
vec4 clip(vec2 place) { return vec4(place * u_clipPerCell, 0.0, 1.0); }
vec4 shifted(vec2 place, vec2 pixels) { return clip(place) + vec4(pixels * vec2(2.0, -2.0) / u_extent, 0.0, 0.0); }
const vec4 NOWHERE = vec4(2.0, 2.0, 0.0, 1.0);
`;

/** Premultiplied: light() adds to what is below in the dark, paint() covers it, so that its colour stays true. */
const INK = `${PRECISION}
uniform float u_glow;
out vec4 ink;
vec4 light(vec3 colour, float alpha) { return vec4(colour * alpha, alpha * (1.0 - 0.9 * u_glow)); }
vec4 paint(vec3 colour, float alpha) { return vec4(colour * alpha, alpha); }
`;

/** Others than the bright player are dimmed. */
const BRIGHTNESS = `
uniform float u_bright;
float brightness(float owner) { return u_bright == 0.0 ? 1.0 : owner == u_bright ? 1.35 : 0.13; }
`;

const DUST_VERTEX = `${CAMERA}
in vec2 a_cell, a_turn;
in float a_strength;
out vec2 v_place;
out float v_strength;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1) - 0.5;
  v_place = corner + 0.5;
  v_strength = a_strength;
  vec2 turned = vec2(corner.x * a_turn.x - corner.y * a_turn.y, corner.x * a_turn.y + corner.y * a_turn.x);
  gl_Position = clip(seen(vec4(a_cell, turned)));
}`;

const DUST_FRAGMENT = `${INK}
uniform sampler2D u_dust;
uniform vec3 u_arm, u_core;
uniform float u_opacity;
in vec2 v_place;
in float v_strength;
void main() {
  vec4 dust = texture(u_dust, v_place);
  float core = dust.g * (0.3 + 0.7 * v_strength);
  float arm = dust.r * (0.2 + 0.8 * v_strength);
  ink = (light(u_arm, arm) + light(u_core, core)) * u_opacity;
}`;

/** Stars far behind the map. Chance comes from the number of the vertex. */
const SKY_VERTEX = `${CAMERA}
out float v_strength;
float chance(float seed) { return fract(sin(seed * 78.233) * 43758.5453); }
void main() {
  float number = float(gl_VertexID) + 1.0;
  float depth = 0.4 + 0.6 * chance(number * 3.7);
  vec2 drift = (u_camera.xy + u_camera.zw) * 0.012 * depth;
  vec2 place = fract(vec2(chance(number), chance(number + 0.5)) - drift);
  v_strength = depth * depth * (0.25 + 0.75 * chance(number * 1.3));
  gl_PointSize = (0.9 + 0.9 * depth) * u_pixelRatio;
  gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0) * vec4(1.0, -1.0, 1.0, 1.0);
}`;

const SKY_FRAGMENT = `${INK}
uniform vec3 u_free;
in float v_strength;
void main() { ink = light(u_free, v_strength * (0.25 + 0.4 * u_glow)); }`;

const STAR_VERTEX = `${CAMERA}${BRIGHTNESS}
in vec4 a_spot;
in float a_owner, a_owned;
in vec4 a_colour;
uniform float u_size;
uniform vec2 u_hidden;
uniform vec3 u_free;
uniform float u_freeOpacity;
out vec4 v_colour;
out float v_core;
void main() {
  bool isOwned = a_owned > 0.0;
  float core = isOwned ? u_size * min(2.0, 0.8 + 0.2 * sqrt(a_owned)) : max(1.1, u_size * 0.5);
  float bright = brightness(a_owner);
  v_colour = isOwned ? vec4(a_colour.rgb, min(1.0, 0.92 * bright)) : vec4(u_free, u_freeOpacity);
  if (isOwned && u_bright != 0.0 && a_owner == u_bright) core *= 1.5;
  float halo = isOwned && core > 3.0 ? 2.6 : 1.0;
  v_core = 1.0 / halo;
  gl_PointSize = (core * halo + 1.0) * u_pixelRatio;
  gl_Position = a_spot.xy == u_hidden ? NOWHERE : clip(seen(a_spot));
}`;

const STAR_FRAGMENT = `${INK}
in vec4 v_colour;
in float v_core;
void main() {
  float distance = length(gl_PointCoord - 0.5) * 2.0;
  float edge = fwidth(distance);
  float core = 1.0 - smoothstep(v_core - edge, v_core + edge, distance);
  float halo = v_core < 1.0 ? 0.32 * pow(max(0.0, 1.0 - distance), 2.0) : 0.0;
  if (max(core, halo) < 0.004) discard;
  // The middle of a star is a little lighter.
  float middle = u_glow * 0.35 * step(v_core, 0.9) * max(0.0, 1.0 - distance / (v_core * 0.8));
  ink = paint(mix(v_colour.rgb, vec3(1.0), middle), v_colour.a * core) + light(v_colour.rgb, v_colour.a * halo * (1.0 - core));
}`;

/** The way from a to b, bent; the same as wayAt() in fleet-rows.ts. */
const WAY = `
vec2 bent(vec2 a, vec2 b, float share, float bend) {
  vec2 along = b - a;
  return a + along * share + vec2(along.y, -along.x) * (bend * ${BEND_SHARE.toFixed(3)} * 4.0 * share * (1.0 - share));
}
vec2 way(vec2 a, vec2 b, float share) { return bent(a, b, share, 1.0); }
vec2 heading(vec2 a, vec2 b, float share) {
  vec2 along = b - a;
  return along + vec2(along.y, -along.x) * (${BEND_SHARE.toFixed(3)} * 4.0 * (1.0 - 2.0 * share));
}
`;

const FLEET_VERTEX = `${CAMERA}${BRIGHTNESS}${WAY}
in vec4 a_from, a_to;
in vec2 a_seconds;
in float a_owner;
in vec4 a_colour;
uniform float u_seconds, u_head, u_trail;
out vec2 v_pixel, v_shape;
out vec4 v_colour;
void main() {
  float share = (u_seconds - a_seconds.x) / max(0.001, a_seconds.y - a_seconds.x);
  vec2 a = seen(a_from);
  vec2 b = seen(a_to);
  vec2 place = way(a, b, share);
  vec2 pixelsPerCell = u_clipPerCell * u_extent * vec2(0.5, -0.5);
  vec2 course = heading(a, b, share) * pixelsPerCell;
  float wayLength = length(course);
  vec2 direction = wayLength > 0.0001 ? course / wayLength : vec2(1.0, 0.0);
  float bright = brightness(a_owner);
  float head = u_head * (bright > 1.0 ? 1.5 : 1.0);
  float trail = min(u_trail * (bright > 1.0 ? 1.8 : 1.0), wayLength * share);
  vec2 corner = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1);
  v_pixel = vec2(mix(-trail - head, head * 2.2, corner.x), mix(-head, head, corner.y) * 1.6);
  v_shape = vec2(head, max(trail, 0.001));
  // The last bit of colour says whether it returns: then it is paler.
  v_colour = vec4(a_colour.rgb, min(1.0, bright) * a_colour.a);
  bool isSeen = share >= 0.0 && share <= 1.0;
  gl_Position = isSeen ? shifted(place, direction * v_pixel.x + vec2(-direction.y, direction.x) * v_pixel.y) : NOWHERE;
}`;

const FLEET_FRAGMENT = `${INK}
in vec2 v_pixel, v_shape;
in vec4 v_colour;
void main() {
  float head = v_shape.x;
  // A dart: it narrows towards its tip.
  float half_width = clamp((head * 2.0 - v_pixel.x) / (head * 3.0), 0.0, 1.0) * head;
  float side = abs(v_pixel.y);
  float dart = (1.0 - smoothstep(half_width - 0.6, half_width + 0.6, side)) * smoothstep(-head - 0.6, -head + 0.6, v_pixel.x);
  float behind = clamp(1.0 + v_pixel.x / v_shape.y, 0.0, 1.0);
  float width = max(0.7, head * 0.45);
  float trail = v_pixel.x < 0.0 ? 0.55 * behind * behind * exp(-side * side / (width * width)) : 0.0;
  if (max(dart, trail) < 0.004) discard;
  ink = paint(mix(v_colour.rgb, vec3(1.0), u_glow * 0.3), v_colour.a * dart) + light(v_colour.rgb, v_colour.a * trail * (1.0 - dart));
}`;

/** The form of a line is how much it bends, and the pixels of a dash with the gap behind it. */
const LINE_VERTEX = `${CAMERA}${WAY}
in vec4 a_from, a_to, a_colour;
in vec2 a_form;
uniform float u_steps;
out vec4 v_colour;
out float v_dashes;
void main() {
  float share = float(gl_VertexID) / u_steps;
  vec2 a = seen(a_from);
  vec2 b = seen(a_to);
  v_colour = a_colour;
  float pixels = length((b - a) * u_clipPerCell * u_extent * 0.5);
  v_dashes = a_form.y > 0.0 ? share * pixels / a_form.y : 0.0;
  gl_Position = clip(bent(a, b, share, a_form.x));
}`;

const LINE_FRAGMENT = `${INK}
in vec4 v_colour;
in float v_dashes;
void main() {
  if (fract(v_dashes) > 0.6) discard;
  ink = paint(v_colour.rgb, v_colour.a);
}`;

const FLASH_VERTEX = `${CAMERA}
in vec4 a_spot;
in float a_bornSeconds, a_size;
uniform float u_seconds, u_zoom, u_motion;
out vec2 v_corner;
out float v_age;
void main() {
  v_age = (u_seconds - a_bornSeconds) / ${FLASH_SECONDS.toFixed(3)};
  v_corner = vec2(gl_VertexID & 1, (gl_VertexID >> 1) & 1) * 2.0 - 1.0;
  bool isSeen = a_size > 0.0 && v_age >= 0.0 && v_age < 1.0;
  gl_Position = isSeen ? shifted(seen(a_spot), v_corner * a_size * u_zoom) : NOWHERE;
}`;

const FLASH_FRAGMENT = `${INK}
uniform vec3 u_flash;
uniform float u_motion;
in vec2 v_corner;
in float v_age;
void main() {
  float distance = length(v_corner);
  float grown = mix(0.55, 1.0 - pow(1.0 - v_age, 3.0), u_motion);
  float fading = 1.0 - v_age;
  float ring = exp(-pow((distance - grown * 0.9) / 0.07, 2.0)) * fading;
  float burst = exp(-distance * distance / 0.035) * fading * fading * fading;
  float wave = smoothstep(grown * 0.9, 0.0, distance) * 0.22 * fading;
  float alpha = min(1.0, ring * 0.9 + burst + wave) * (1.0 - smoothstep(0.95, 1.0, distance));
  if (alpha < 0.004) discard;
  ink = light(mix(u_flash, vec3(1.0), u_glow * burst), alpha);
}`;

/** One triangle that covers everything. */
const COPY_VERTEX = `${PRECISION}
out vec2 v_place;
void main() {
  v_place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(v_place * 2.0 - 1.0, 0.0, 1.0);
}`;

const COPY_FRAGMENT = `${PRECISION}
uniform sampler2D u_picture;
in vec2 v_place;
out vec4 ink;
void main() { ink = texture(u_picture, v_place); }`;

const SOURCES = {
  copy: [COPY_VERTEX, COPY_FRAGMENT],
  sky: [SKY_VERTEX, SKY_FRAGMENT],
  dust: [DUST_VERTEX, DUST_FRAGMENT],
  stars: [STAR_VERTEX, STAR_FRAGMENT],
  fleets: [FLEET_VERTEX, FLEET_FRAGMENT],
  lines: [LINE_VERTEX, LINE_FRAGMENT],
  flashes: [FLASH_VERTEX, FLASH_FRAGMENT],
} as const;

export type Programs = Readonly<Record<keyof typeof SOURCES, ProgramInfo>>;

/** @throws Error if the graphics card does not accept a program */
export function compilePrograms(gl: WebGL2RenderingContext): Programs {
  const refuse = (message: string): never => {
    throw new Error(message);
  };
  const programs = Object.entries(SOURCES).map(([name, sources]) => {
    const versioned = sources.map((source) => `#version 300 es\n${source}`);
    return [name, createProgramInfo(gl, versioned, refuse)] as const;
  });
  // All names are there.
  return Object.fromEntries(programs) as Record<keyof typeof SOURCES, ProgramInfo>;
}
