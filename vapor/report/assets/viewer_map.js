// Colours, scales, and a heat map on a canvas.
"use strict";

// viridis (S. van der Walt, N. Smith, 2015: uniform to the eye, also without colour vision), by the
// polynomial fit that M. Zucker published under CC0, https://www.shadertoy.com/view/WlfXRN.
const VIRIDIS = [
  [0.2777273272, 0.0054073445, 0.3340998053], [0.1050930431, 1.4046135299, 1.3845901626],
  [-0.3308618287, 0.2148475595, 0.0950951630], [-4.6342304990, -5.7991009734, -19.3324409563],
  [6.2282699363, 14.1799333668, 56.6905526007], [4.7763849977, -13.7451453777, -65.3530326334],
  [-5.4354558559, 4.6458526122, 26.3124352496],
];

function viridis(t) {
  return [0, 1, 2].map((channel) => {
    const value = VIRIDIS.reduceRight((sum, c) => sum * t + c[channel], 0);
    return Math.round(255 * Math.min(1, Math.max(0, value)));
  });
}

const PALETTE = Array.from({ length: 256 }, (_, i) => viridis(i / 255));

const DECADES = 8; // a logarithmic scale ends so far below its top

// A scale maps numbers to 0..1. `kind` is linear, log, count (log(1 + n)) or auto (log if all
// numbers are positive and span decades, else linear); [low, high] is the range of the finite
// numbers, and `clipped` says that smaller ones share the lowest colour.
function makeScale(kind, numbers) {
  let low = Infinity;
  let high = -Infinity;
  let least = Infinity;
  for (const field of numbers) {
    for (const value of field) {
      if (Number.isNaN(value)) continue;
      least = Math.min(least, value);
      if (kind === "log" && value <= 0) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) [low, high] = least === Infinity ? [NaN, NaN] : [least, least];
  let used = kind;
  if (kind === "auto") used = least > 0 && high > 30 * least ? "log" : "linear";
  if (used === "log" && !(high > 0)) used = "linear";
  if (used === "count") low = 0;
  if (used === "log") {
    low = Math.max(low, high / 10 ** DECADES);
    if (low === high && least < low) low = high / 10; // one number, and zeros
  }
  return scaleOf(used, low, high, least < low);
}

function scaleOf(kind, low, high, clipped = false) {
  const bend = { linear: (x) => x, log: Math.log10, count: Math.log1p }[kind];
  const span = bend(high) - bend(low);
  return {
    kind, low, high, clipped,
    at: (value) => {
      if (!(span > 0)) return 0.5;
      return Math.min(1, Math.max(0, (bend(Math.max(value, low)) - bend(low)) / span));
    },
  };
}

// Round numbers strictly inside a scale.
function roundNumbers({ kind, low, high }) {
  const numbers = [];
  if (kind === "linear") {
    const rough = (high - low) / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((m) => m * power >= rough) * power;
    for (let i = Math.ceil(low / step); i * step < high; ++i)
      numbers.push(Number((i * step).toPrecision(6)));
  } else {
    const first = kind === "count" ? 0 : Math.ceil(Math.log10(low));
    for (let e = first; 10 ** e < high; ++e) numbers.push(10 ** e);
  }
  return numbers.filter((n) => n > low && n < high);
}

// What is written under a colour bar of so many pixels: both ends, and the round numbers between
// them that have room. Each has its text and its place from 0 to 1.
function ticksOf(scale, width) {
  const { low, high, clipped } = scale;
  if (Number.isNaN(low)) return [];
  const text = (n) => (clipped && n === low ? "\u2264 " : "") + formatNumber(n);
  const tick = (n) => ({ text: text(n), at: scale.at(n) });
  if (low === high) return [tick(low)];
  const ticks = [tick(low), tick(high)];
  const wide = (t) => 7 * t.text.length / width; // the ends stand inside the bar, others centred
  const left = (t) => (t.at === 0 ? 0 : t.at === 1 ? 1 - wide(t) : t.at - wide(t) / 2);
  const gap = 8 / width;
  const apart = (s, t) => left(s) + wide(s) + gap < left(t) || left(t) + wide(t) + gap < left(s);
  for (const candidate of roundNumbers(scale).map(tick))
    if (ticks.every((t) => apart(t, candidate))) ticks.push(candidate);
  return ticks;
}

function styleColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function hatching(context, pixels) {
  const side = Math.round(6 * pixels);
  const tile = document.createElement("canvas");
  tile.width = tile.height = side;
  const draw = tile.getContext("2d");
  draw.fillStyle = styleColour("--paper");
  draw.fillRect(0, 0, side, side);
  draw.strokeStyle = styleColour("--faint");
  draw.lineWidth = pixels;
  draw.beginPath();
  for (const shift of [-side, 0, side]) {
    draw.moveTo(shift, side);
    draw.lineTo(shift + side, 0);
  }
  draw.stroke();
  return context.createPattern(tile, "repeat");
}

// Whole device pixels a cell, so that every edge is sharp.
function fitCanvas(canvas, layout) {
  const pixels = window.devicePixelRatio || 1;
  const room = canvas.parentElement.clientWidth;
  const most = 44;
  let width = Math.min(most, room / layout.columns);
  let height = Math.min(most, 340 / layout.rows);
  if (layout.view === "grid") width = height = Math.min(width, height);
  width = Math.max(1, Math.floor(width * pixels));
  height = Math.max(1, Math.floor(height * pixels));
  canvas.width = width * layout.columns;
  canvas.height = height * layout.rows;
  canvas.style.width = `${Math.min(room, canvas.width / pixels)}px`;
  canvas.style.height = `${canvas.height / pixels}px`;
  return { width, height, pixels };
}

function paintColours(context, layout, field, scale, size) {
  const image = new ImageData(layout.columns, layout.rows);
  layout.states.forEach((states, cell) => {
    if (Number.isNaN(field[cell])) return;
    const [r, g, b] = PALETTE[Math.round(255 * scale.at(field[cell]))];
    image.data.set([r, g, b, 255], 4 * cell);
  });
  const small = document.createElement("canvas");
  small.width = layout.columns;
  small.height = layout.rows;
  small.getContext("2d").putImageData(image, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, context.canvas.width, context.canvas.height);
  context.fillStyle = hatching(context, size.pixels);
  layout.states.forEach((states, cell) => {
    if (!Number.isNaN(field[cell])) return;
    const row = Math.floor(cell / layout.columns);
    const column = cell % layout.columns;
    context.fillRect(column * size.width, row * size.height, size.width, size.height);
  });
}

function paintLines(context, layout, size) {
  if (Math.min(size.width, size.height) < 9 * size.pixels) return;
  context.fillStyle = styleColour("--raised");
  const line = Math.max(1, Math.round(size.pixels / 2));
  for (let row = 1; row < layout.rows; ++row)
    context.fillRect(0, row * size.height, context.canvas.width, line);
  for (let column = 1; column < layout.columns; ++column)
    context.fillRect(column * size.width, 0, line, context.canvas.height);
}

// Lines that are seen on every colour: dark, with a light one on top.
function strokeTwice(context, pixels, width, path) {
  for (const [colour, more] of [["#000", 2], ["#fff", 0]]) {
    context.strokeStyle = colour;
    context.lineWidth = (width + more) * pixels;
    context.beginPath();
    path();
    context.stroke();
  }
}

function outline(context, cell, size, width, dashes) {
  context.setLineDash(dashes.map((d) => d * size.pixels));
  const side = (cellSide) => Math.max(cellSide - 3 * size.pixels, 8 * size.pixels); // to be seen
  const [w, h] = [side(size.width), side(size.height)];
  strokeTwice(context, size.pixels, width, () => context.rect(
    (cell.column + 0.5) * size.width - w / 2, (cell.row + 0.5) * size.height - h / 2, w, h));
  context.setLineDash([]);
}

function paintGoals(context, layout, goals, size) {
  const radius = Math.min(size.width, size.height) / 5;
  if (radius < 1.5 * size.pixels) return;
  for (const { row, column } of goals)
    strokeTwice(context, size.pixels, 1, () => context.arc(
      (column + 0.5) * size.width, (row + 0.5) * size.height, radius, 0, 2 * Math.PI));
}

// Where the actions of the chosen state lead, the likelier the wider.
function paintArrows(context, arrows, size) {
  const x = (cell) => (cell.column + 0.5) * size.width;
  const y = (cell) => (cell.row + 0.5) * size.height;
  for (const { from, to, weight } of arrows)
    strokeTwice(context, size.pixels, 0.75 + 2 * weight, () => {
      context.moveTo(x(from), y(from));
      context.lineTo(x(to), y(to));
      context.arc(x(to), y(to), 1.5 * size.pixels, 0, 2 * Math.PI);
    });
}

// `marks`: cursor and chosen cells {row, column} or null, goals, arrows.
function drawMap(canvas, layout, field, scale, marks) {
  const size = fitCanvas(canvas, layout);
  const context = canvas.getContext("2d");
  paintColours(context, layout, field, scale, size);
  paintLines(context, layout, size);
  paintGoals(context, layout, marks.goals, size);
  paintArrows(context, marks.arrows, size);
  if (marks.chosen) outline(context, marks.chosen, size, 1.5, []);
  if (marks.cursor) outline(context, marks.cursor, size, 1, [3, 2]);
}

function cellUnder(canvas, layout, event) {
  const box = canvas.getBoundingClientRect();
  const column = Math.floor((event.clientX - box.left) / box.width * layout.columns);
  const row = Math.floor((event.clientY - box.top) / box.height * layout.rows);
  const inside = row >= 0 && row < layout.rows && column >= 0 && column < layout.columns;
  return inside ? { row, column } : null;
}
