import { parseArgs } from 'node:util';
import { openBox, type Box } from './box.js';
import { runDemo } from './demo.js';
import { SCENARIOS, serviceOf, unitText } from './scenarios.js';

const SUITES = ['bookworm', 'trixie'];

export interface Places {
  /** The folder of the shell scripts. */
  readonly scripts: string;
  /** What the boxes see as /mnt/share. */
  readonly share: string;
  /** Of the repository. */
  readonly root: string;
}

/** Runs every scenario on every systemd, so many times as asked for; gives the exit code. */
export async function main({ scripts, share, root }: Places): Promise<number> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    console.log('skipped: booting a systemd needs root on Linux');
    return 0;
  }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { times: { type: 'string', default: '1' } },
  });
  const times = Number(values.times);
  if (!Number.isInteger(times) || times < 1)
    throw new Error(`--times: ${values.times} is no count`);
  let failed = 0;
  for (const suite of positionals.length > 0 ? positionals : SUITES) {
    const box = await openBox(suite, scripts, share);
    try {
      for (let time = 1; time <= times; time++) {
        console.log(`\nsystemd ${box.version} (${suite}), ${time} of ${times}`);
        failed += await runAll(box);
        if (suite === SUITES[0]) failed += await runShop(box, root);
      }
    } finally {
      await box.stop();
    }
  }
  console.log(failed === 0 ? 'every scenario as it should be' : `${failed} scenario(s) FAILED`);
  return failed === 0 ? 0 : 1;
}

async function runAll(box: Box): Promise<number> {
  const scenarios = SCENARIOS.filter(({ since = 0 }) => box.version >= since);
  for (const scenario of scenarios) {
    box.write(`/run/systemd/system/${scenario.name}.service`, unitText(scenario));
  }
  const units = scenarios.map(({ name }) => `/run/systemd/system/${name}.service`);
  const verified = await box.run('systemd-analyze', 'verify', ...units);
  const isVerified = verified.code === 0 && verified.out.trim() === '';
  report(isVerified, 'systemd-analyze verify accepts every unit', verified.out.trim());
  await box.run('systemctl', 'daemon-reload');
  const names = scenarios.map(({ name }) => name);
  const results = await Promise.all(
    scenarios.map(async (scenario) => {
      try {
        return { scenario, isRight: true, seen: await scenario.run(serviceOf(box, scenario.name)) };
      } catch (error) {
        const { out } = await box.run('journalctl', '-q', '-u', scenario.name, '-n', '30');
        return { scenario, isRight: false, seen: `${String(error)}\n${out}` };
      }
    }),
  );
  // Those that are restarted for ever, and for the next time.
  await box.run('systemctl', 'stop', ...names);
  await box.run('systemctl', 'reset-failed', ...names);
  for (const { scenario, isRight, seen } of results) report(isRight, scenario.shows, seen);
  for (const { name, since } of SCENARIOS.filter((scenario) => !scenarios.includes(scenario))) {
    console.log(`  skipped ${name}: needs systemd ${since}`);
  }
  return results.filter(({ isRight }) => !isRight).length + (isVerified ? 0 : 1);
}

async function runShop(box: Box, root: string): Promise<number> {
  const shows = 'the demo under its own unit';
  try {
    report(true, shows, await runDemo(box, root));
    return 0;
  } catch (error) {
    report(false, shows, String(error));
    return 1;
  }
}

function report(isRight: boolean, shows: string, seen: string): void {
  console.log(`  ${isRight ? 'ok    ' : 'FAILED'} ${shows.padEnd(58)} ${seen}`);
}
