// Runs benches one after the other and writes what they print into RESULTS.md, with the machine and
// the versions: `npm --prefix bench run all -- [bench ...]`, all of them by default. A bench may have
// arguments, such as 'start --against ../before'. What other versions of Node and other benches have
// printed before stays.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

const BENCHES = [
  'authz',
  'logger',
  'kinds',
  'request',
  'sinks',
  'host',
  'page',
  'codec',
  'grpc',
  'gateway',
  'client',
  'tracing',
  'start',
];

const here = import.meta.dirname;
const results = join(here, 'RESULTS.md');
const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const node = `Node ${process.versions.node.split('.')[0]}`;
const chosen = process.argv.slice(2);
const sections = readSections();
for (const asked of chosen.length > 0 ? chosen : BENCHES) {
  const [bench, ...args] = asked.split(' ');
  console.log(`\n== ${bench}`);
  const load = os.loadavg()[0].toFixed(1);
  const { text, code, seconds } = await run(join(here, bench, 'main.mjs'), args);
  if (code !== 0) process.exitCode = 1;
  const ending = code === 0 ? '' : `, ended with ${code}`;
  const today = new Date().toISOString().slice(0, 10);
  sections.set(
    `${bench}, ${node}`,
    `${today}, ${process.version}, ${seconds} s, load ${load} at its start${ending}\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`,
  );
}

const [cpu] = os.cpus();
const machine = `${os.cpus().length} × ${cpu.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${os.release()}`;
const rows = [['machine', machine], ...Object.entries(dependencies)];
const widths = [0, 1].map((i) => Math.max(...rows.map((row) => row[i].length), 4));
const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
const head = `# Results

Written by \`npm --prefix bench run all\`. Ratios come from interleaved runs on one machine; absolute figures
say something about that machine only.

${line(['what', 'is'])}
${line(widths.map((width) => '-'.repeat(width)))}
${rows.map(line).join('\n')}
`;
const inOrder = BENCHES.flatMap((bench) =>
  [...sections]
    .filter(([title]) => title.startsWith(`${bench}, `))
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
);
writeFileSync(
  results,
  [head, ...inOrder.map(([title, body]) => `## ${title}\n\n${body}`)].join('\n'),
);

/** What the file has of each bench and Node. */
function readSections() {
  const text = existsSync(results) ? readFileSync(results, 'utf8') : '';
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n');
        return [part.slice(0, end), `${part.slice(end).trim()}\n`];
      }),
  );
}

/** Shows what a bench prints as it prints it, and keeps it. */
function run(file, args) {
  const begun = performance.now();
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
    process.stdout.write(data);
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      resolve({ text, code, seconds: Math.round((performance.now() - begun) / 1_000) });
    });
  });
}
