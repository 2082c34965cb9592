// Draws the figures of a report. It computes nothing: the numbers, the scales and the words come
// from the library; what is settled here is width, theme and the files that a reader takes home.
"use strict";
(() => {
  const darkQuery = window.matchMedia("(prefers-color-scheme: dark)");
  const { palettes, figures } = JSON.parse(document.getElementById("figures").textContent);

  const variable = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  function themeColour(text) {
    const name = text.slice("theme:".length);
    const palette = palettes[darkQuery.matches ? "dark" : "light"];
    return /^\d+$/.test(name) ? palette[Number(name) % palette.length] : variable(name);
  }

  // A copy of a specification with the colours of the theme, which stand in `range` and in the
  // properties of marks; names in `domain` are data and stay as they are.
  function themed(part, key) {
    if (Array.isArray(part)) return part.map((item) => themed(item, key));
    if (part && typeof part === "object") {
      return Object.fromEntries(Object.entries(part).map(([k, v]) => [k, themed(v, k)]));
    }
    const paints = ["range", "color", "fill", "stroke"].includes(key);
    return paints && typeof part === "string" && part.startsWith("theme:") ? themeColour(part) : part;
  }

  // As wide as the longest name of an agent, which legends have, with its symbol.
  function legendColumn(figure) {
    const agent = figure.columns.indexOf("agent");
    const longest = Math.max(0, ...figure.rows.map((row) => String(row[agent] ?? "").length));
    return Math.max(185, 7 * longest + 60);
  }

  function config(width, figure) {
    const ink = variable("ink");
    const faint = variable("faint");
    const font = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
    const text = { labelFont: font, titleFont: font, labelColor: ink, titleColor: ink };
    return {
      background: null,
      font,
      view: { stroke: variable("line") },
      axis: {
        ...text, labelFontSize: 12, titleFontSize: 13, titleFontWeight: 500, gridColor: variable("line"),
        domainColor: faint, tickColor: faint, labelLimit: Math.max(90, width * 0.3), titlePadding: 8,
      },
      header: { ...text, labelFontSize: 13, labelFontWeight: 600, labelLimit: width },
      legend: {
        ...text, orient: "top", direction: "horizontal", labelFontSize: 12.5, labelLimit: Math.min(400, width - 60),
        titleFontSize: 12.5, titleFontWeight: 500,
        columns: Math.max(1, Math.floor(width / legendColumn(figure))),
        symbolLimit: 0,
        symbolSize: 110, symbolStrokeWidth: 2, columnPadding: 14, padding: 0, offset: 12,
        gradientLength: Math.min(260, width * 0.6),
      },
      facet: { spacing: 22 },
    };
  }

  // Panels side by side: as many as fit, at most as many as there are.
  function arrange(spec, figure, width) {
    const wish = { columns: 3, least: 280, most: 520, square: false, own_axes: false, ...spec.usermeta };
    const panel = figure.columns.indexOf("panel");
    const panels = new Set(figure.rows.map((row) => row[panel])).size;
    const columns = Math.max(1, Math.min(wish.columns, panels, Math.floor(width / wish.least)));
    const axes = 75 * (wish.own_axes ? columns : 1);  // what labels on the left take
    const each = Math.floor((width - axes - 22 * (columns - 1)) / columns);
    spec.columns = columns;
    spec.spec.width = Math.min(panels > 1 || wish.square ? wish.most : width, each);
    if (wish.square) spec.spec.height = spec.spec.width;
  }

  const isLog = (axis) => axis.scale?.type === "log";

  // Every encoding of a channel that is an axis of numbers.
  function axesOf(part, channel) {
    if (!part || typeof part !== "object") return [];
    const own = part.encoding?.[channel];
    return [...(own?.scale && own.type === "quantitative" ? [own] : []),
      ...Object.values(part).flatMap((item) => axesOf(item, channel))];
  }

  // Those that a reader may have linear or logarithmic. A linear one in place of a logarithmic one
  // begins at 0; its ticks are Vega's.
  const switchable = (spec, channel) => axesOf(spec, channel).some(isLog) ||
    (spec.usermeta?.may_be_log ?? []).includes(channel);

  function switchAxes(spec, channel) {
    for (const axis of axesOf(spec, channel)) {
      axis.scale = isLog(axis) ? { domain: [0, axis.scale.domain[1]], nice: false }
        : { type: "log", nice: false };
      if (axis.axis) delete axis.axis.values;
    }
  }

  // Above the plot: a box for each axis that may be switched.
  function offerAxes(figure) {
    const boxes = ["x", "y"].filter((channel) => switchable(figure.spec, channel)).map((channel) => {
      const [axis] = axesOf(figure.spec, channel);
      const box = Object.assign(document.createElement("input"), { type: "checkbox" });
      box.checked = isLog(axis);
      box.addEventListener("change", () => {
        figure.switched = { ...figure.switched, [channel]: box.checked !== isLog(axis) };
        redraw(figure);
      });
      const label = document.createElement("label");
      label.append(box, ` logarithmic ${channel} axis`);
      return label;
    });
    const line = Object.assign(document.createElement("p"), { className: "axes" });
    line.append(...boxes);
    if (boxes.length > 0) document.querySelector(`#${figure.id} .plot`).before(line);
  }

  function specification(figure, width) {
    const spec = themed(figure.spec);
    for (const channel of ["x", "y"]) if (figure.switched?.[channel]) switchAxes(spec, channel);
    const name = (row) => Object.fromEntries(figure.columns.map((c, i) => [c, row[i]]));
    spec.datasets = { picture: figure.rows.map(name) };
    spec.$schema = "https://vega.github.io/schema/vega-lite/v6.json";
    spec.config = config(width, figure);
    spec.padding = { left: 2, top: 4, right: 10, bottom: 2 };
    if (spec.facet) {
      arrange(spec, figure, width);
    } else {
      spec.width = width - 12;
      spec.autosize = { type: "fit-x", contains: "padding" };
    }
    return spec;
  }

  async function draw(figure) {
    const plot = document.querySelector(`#${figure.id} .plot`);
    const width = Math.floor(plot.clientWidth);
    if (width === 0) return;
    // Into an element of its own: the plot keeps its one label, and Vega's parts, which would be
    // read out as noise, are hidden from screen readers.
    const result = await vegaEmbed(plot.firstElementChild, specification(figure, width), {
      ast: true, renderer: "svg", actions: false,
      tooltip: { theme: darkQuery.matches ? "dark" : "light" },
    });
    if (figure.view) figure.view.finalize();
    figure.view = result.view;
    figure.width = width;
    plot.dataset.drawn = darkQuery.matches ? "dark" : "light";
  }

  // One drawing of a figure at a time; what is asked for meanwhile follows.
  function redraw(figure) {
    figure.drawing = (figure.drawing || Promise.resolve()).then(() => draw(figure))
      .catch((error) => {
        const plot = document.querySelector(`#${figure.id} .plot`);
        plot.textContent = `This picture could not be drawn (${error.message}); ` +
          "the table below has its numbers.";
      });
    return figure.drawing;
  }

  function csv(figure) {
    const cell = (value) => {
      if (value === null) return "";
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    return [figure.columns, ...figure.rows].map((row) => row.map(cell).join(",") + "\n").join("");
  }

  function offerFiles(figure) {
    const data = document.querySelector(`#${figure.id} .picture-data`);
    data.href = URL.createObjectURL(new Blob([csv(figure)], { type: "text/csv" }));
    const picture = document.querySelector(`#${figure.id} .picture-svg`);
    if (!picture) return;
    picture.addEventListener("click", async (event) => {
      if (picture.href.startsWith("blob:")) return;
      event.preventDefault();
      if (!figure.view) return;  // it could not be drawn
      const svg = await figure.view.toSVG();
      picture.href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
      picture.click();
      setTimeout(() => { picture.href = `#${figure.id}`; }, 0);
    });
  }

  const plots = figures.filter((figure) => figure.spec);
  figures.forEach(offerFiles);
  plots.forEach(offerAxes);
  darkQuery.addEventListener("change", () => plots.forEach(redraw));
  let pause = 0;
  window.addEventListener("resize", () => {
    clearTimeout(pause);
    pause = setTimeout(() => plots.forEach((figure) => {
      const plot = document.querySelector(`#${figure.id} .plot`);
      if (Math.floor(plot.clientWidth) !== figure.width) redraw(figure);
    }), 150);
  });
  Promise.all(plots.map(redraw)).then(() => { document.documentElement.dataset.drawn = "all"; });
})();
