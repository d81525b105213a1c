const WIDTH = 420;

/** The results as a page that needs nothing else: a table, and for each figure both sides' CPU per request as bars. */
export function page(machine, figures) {
  const rows = figures.map(
    ({ title, ratio, goal, reached, rates, cpu, p50, p99 }) => `<tr class="${reached ? 'ok' : 'short'}">
      <td>${title}</td><td>${ratio.toFixed(2)}</td><td>${goal.replace('>', '&gt;').replace('<', '&lt;')}</td>
      <td>${rates.map(Math.round).join(' / ')}</td><td>${p50 ? p50.join(' / ') : ''}</td>
      <td>${p99 ? p99.join(' / ') : ''}</td><td>${cpu ? bars(cpu) : ''}</td></tr>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Parley against a bare server</title>
<style>
  body { font: 14px system-ui, sans-serif; margin: 2rem; color: #222 }
  td, th { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid #ddd } td:first-child, th:first-child { text-align: left }
  .ok td:nth-child(2) { color: #176b2c } .short td:nth-child(2) { color: #a4262c }
  svg text { font-size: 11px }
</style>
<h1>Parley against a bare server</h1>
<p>Node ${machine.node}, ${machine.cpus} × ${machine.model ?? 'CPU'}. Each cell: Parley / bare server. Bars: CPU per request, PostgreSQL included.</p>
<table><tr><th>figure</th><th>ratio</th><th>goal</th><th>requests/s</th><th>p50 ms</th><th>p99 ms</th><th>CPU per request</th></tr>
${rows.join('\n')}
</table>
`;
}

function bars([ours, theirs]) {
  const longest = Math.max(ours, theirs, 1);
  const bar = (value, y, colour) =>
    `<rect x="0" y="${y}" width="${((value / longest) * WIDTH * 0.75).toFixed(1)}" height="12" fill="${colour}"/>` +
    `<text x="${((value / longest) * WIDTH * 0.75 + 4).toFixed(1)}" y="${y + 10}">${Math.round(value)} µs</text>`;
  return `<svg width="${WIDTH}" height="28">${bar(ours, 0, '#2f6fb0')}${bar(theirs, 15, '#b5b5b5')}</svg>`;
}
