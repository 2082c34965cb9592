// The runs of the page as tables, and the numbers that the maps show. States are numbered through
// all layers, pairs through all states; NaN is a number that does not exist.
"use strict";

const WHOLE_STATE = -1; // in place of an action
const ALL_STEPS = -1; // in place of a layer

// Single precision, little end first, as on every machine that runs a browser.
function decodeTable(text) {
  if (text === null) return null;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

// A snapshot whose tables are decoded when they are first asked for.
function snapshotOf(raw) {
  const tables = new Map();
  return {
    episodes: raw.episodes,
    program: raw.program,
    constraints: raw.constraints ?? [],
    table(name) {
      if (!tables.has(name)) tables.set(name, decodeTable(raw[name] ?? null));
      return tables.get(name);
    },
  };
}

function runOf(raw, number) {
  const { drawing } = raw;
  const layerOf = [];
  const firstState = [0];
  drawing.layer_states.forEach((count, layer) => {
    for (let s = 0; s < count; ++s) layerOf.push(layer);
    firstState.push(firstState[layer] + count);
  });
  const firstPair = [0];
  drawing.actions.forEach((count, s) => firstPair.push(firstPair[s] + count));
  const used = new Set();
  const shared = drawing.row.some((row, s) => {
    const cell = row * drawing.columns + drawing.column[s];
    return used.has(cell) || !used.add(cell);
  });
  return {
    ...raw,
    number,
    layers: drawing.layer_states.length,
    mostActions: drawing.actions.reduce((a, b) => Math.max(a, b), 0),
    layerOf, firstState, firstPair,
    shared, // whether several states are drawn in one cell
    isLayeredGraph: layerOf.every((layer, s) => drawing.column[s] === layer),
    goals: new Set(drawing.goals), // pairs
    goalStates: drawing.actions.map((_, s) => s).filter((s) =>
      drawing.goals.some((p) => p >= firstPair[s] && p < firstPair[s + 1])),
    snapshots: raw.snapshots.map(snapshotOf),
  };
}

// The last snapshot that was made after at most so many episodes.
function snapshotAt(run, episodes) {
  let found = run.snapshots[0];
  for (const snapshot of run.snapshots) if (snapshot.episodes <= episodes) found = snapshot;
  return found;
}

function likeliestAction(run, snapshot, state) {
  const policy = snapshot.table("policy");
  let best = run.firstPair[state];
  for (let p = best; p < run.firstPair[state + 1]; ++p) if (policy[p] > policy[best]) best = p;
  return best - run.firstPair[state];
}

// How the numbers of a state's actions become one: (table, first pair, end, policy) -> number.
const overActions = {
  sum(table, first, end) {
    let sum = 0;
    for (let p = first; p < end; ++p) sum += table[p];
    return sum;
  },
  largest(table, first, end) {
    let most = NaN;
    for (let p = first; p < end; ++p) if (!(table[p] <= most)) most = table[p];
    return most;
  },
  ofLikeliest(table, first, end, policy) {
    let best = first;
    for (let p = first; p < end; ++p) if (policy[p] > policy[best]) best = p;
    return table[best];
  },
  expected(table, first, end, policy) {
    let sum = 0;
    for (let p = first; p < end; ++p) if (policy[p] > 0) sum += policy[p] * table[p];
    return sum;
  },
};

// What is drawn, in this order. `whole` says how the actions of a state become one number, `steps`
// how the timesteps that share a cell do.
const QUANTITIES = [
  {
    key: "lambda", title: "Where it plans to go", symbol: "lambda", unit: "probability",
    meaning: "How likely the next episode passes here.",
    scale: "log", whole: overActions.sum, wholeSays: "sum over the actions",
    steps: "share", stepsSays: "average over the timesteps",
  },
  {
    key: "tau", title: "Temperature", symbol: "tau", unit: "reward",
    meaning: "How much the plan pays for staying random here: high is exploring, low is settled.",
    scale: "log", whole: overActions.ofLikeliest, wholeSays: "of the likeliest action",
    steps: "mean", stepsSays: "average over the timesteps",
    missing: "nothing is uncertain there (sigma_hat = 0), or every policy must pass (lambda = 1)",
  },
  {
    key: "sigma_hat", title: "Uncertainty", symbol: "sigma_hat", unit: "reward",
    meaning: "How unsure the belief is about what an action yields.",
    scale: "log", whole: overActions.largest, wholeSays: "largest over the actions",
    steps: "mean", stepsSays: "average over the timesteps",
  },
  {
    key: "counts", title: "Visits so far", symbol: "counts", unit: "visits",
    meaning: "How often the agent has been here.",
    scale: "count", whole: overActions.sum, wholeSays: "sum over the actions",
    steps: "sum", stepsSays: "sum over the timesteps",
  },
  {
    key: "V", title: "Price of the state", symbol: "V", unit: "reward",
    meaning: "What the program pays for being here: rewards to come with their bonuses.",
    scale: "auto", byState: true, wholeSays: "one number a state",
    steps: "mean", stepsSays: "average over the timesteps", missing: "no policy arrives there",
  },
  {
    key: "reward_mean", title: "Expected reward", symbol: "E r", unit: "reward",
    meaning: "What the belief expects an action here to pay at once.",
    scale: "linear", whole: overActions.expected, wholeSays: "expected under the policy",
    steps: "mean", stepsSays: "average over the timesteps",
  },
  {
    key: "policy", title: "How decided it is", symbol: "pi", unit: "probability",
    meaning: "How likely the action is taken once the agent is here.",
    scale: "linear", range: [0, 1], whole: overActions.largest,
    wholeSays: "of the likeliest action", steps: "mean", stepsSays: "average over the timesteps",
  },
];

function stateValue(run, snapshot, quantity, state, action) {
  const table = snapshot.table(quantity.key);
  if (table === null) return NaN;
  if (quantity.byState) return table[state];
  const first = run.firstPair[state];
  const end = run.firstPair[state + 1];
  if (action === WHOLE_STATE) return quantity.whole(table, first, end, snapshot.table("policy"));
  return first + action < end ? table[first + action] : NaN;
}

// Where states are drawn: as the environment draws them, or x = layer, y = state. `states` has, by
// cell (row by row), the list of states there, or undefined.
function layoutOf(run, view, layer) {
  const { drawing } = run;
  const graph = view === "graph";
  const rows = graph ? Math.max(...drawing.layer_states) : drawing.rows;
  const columns = graph ? run.layers : drawing.columns;
  const states = new Array(rows * columns);
  run.layerOf.forEach((l, s) => {
    if (!graph && layer !== ALL_STEPS && l !== layer) return;
    const row = graph ? s - run.firstState[l] : drawing.row[s];
    const column = graph ? l : drawing.column[s];
    const cell = row * columns + column;
    if (states[cell] === undefined) states[cell] = [];
    states[cell].push(s);
  });
  return { view, rows, columns, states };
}

function cellValue(run, snapshot, quantity, states, action) {
  if (states.length === 1) return stateValue(run, snapshot, quantity, states[0], action);
  let sum = 0;
  let count = 0;
  for (const s of states) {
    const value = stateValue(run, snapshot, quantity, s, action);
    if (Number.isNaN(value)) continue;
    sum += value;
    ++count;
  }
  if (count === 0) return NaN;
  return quantity.steps === "mean" ? sum / count : sum;
}

// The numbers of a map by cell; NaN also where no state is drawn.
function fieldOf(run, snapshot, quantity, layout, action, layer) {
  const field = new Float64Array(layout.states.length).fill(NaN);
  const averaged = quantity.steps === "share" && layout.view === "grid" && run.shared &&
    layer === ALL_STEPS;
  layout.states.forEach((states, cell) => {
    field[cell] = cellValue(run, snapshot, quantity, states, action) / (averaged ? run.layers : 1);
  });
  return field;
}

const isGrid = ({ drawing }) => drawing.rows > 1 && drawing.columns > 1;

// A place in the drawing of the environment. On a line there are no rows and columns.
const cellText = (run, row, column) => isGrid(run)
  ? `row ${row}, column ${column}` : `state ${Math.max(row, column)}`;

function formatNumber(value) {
  if (Number.isNaN(value)) return "does not exist";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 0.9995e-3 && size < 1e5)
    return String(Number(value.toPrecision(4))).replace("-", "\u2212");
  const [digits, power] = value.toExponential(2).split("e");
  return `${Number(digits)}e${Number(power)}`.replace(/-/g, "\u2212");
}
