// Runs every bench, one after the other, and writes what they print into RESULTS.md, with the
// machine and the versions: npm --prefix bench run all
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';

const BENCHES = ['authz', 'logger', 'request', 'sinks', 'host', 'codec', 'grpc', 'gateway'];

const here = import.meta.dirname;
const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const sections = [];
for (const bench of BENCHES) {
  console.log(`\n== ${bench}`);
  const load = os.loadavg()[0].toFixed(1);
  const { text, code, seconds } = await run(join(here, bench, 'main.mjs'));
  if (code !== 0) process.exitCode = 1;
  const ending = code === 0 ? '' : `, ended with ${code}`;
  sections.push(
    `## ${bench}\n\n${seconds} s, load ${load} at its start${ending}\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`,
  );
}
const [cpu] = os.cpus();
const head = `# Results

Written by \`npm --prefix bench run all\` on ${new Date().toISOString().slice(0, 10)}. Ratios come from
interleaved runs on one machine; absolute figures say something about that machine only.

| what    | is                                                                        |
| ------- | ------------------------------------------------------------------------- |
| machine | ${os.cpus().length} × ${cpu.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${os.release()} |
| Node    | ${process.version} |
${Object.entries(dependencies)
  .map(([name, version]) => `| ${name} | ${version} |`)
  .join('\n')}
`;
writeFileSync(join(here, 'RESULTS.md'), [head, ...sections].join('\n'));

/** Shows what a bench prints as it prints it, and keeps it. */
function run(file) {
  const begun = performance.now();
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
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
