import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from './box.js';
import { serviceOf } from './scenarios.js';

/** Where its unit says that the demo lives, and where it is. */
const HOME = '/opt/shop';
const LAID_OUT = '/mnt/share/shop';
const LOGGING = `${HOME}/apps/demo/deploy/logging.yaml`;
const ASK = `fetch('http://127.0.0.1:3000/v1/products').then((answer) => console.log(answer.status))`;

/** systemd calls this OK. */
const MOST_EXPOSURE = 2;

/** Installs the demo by its own unit, as an administrator would, and drives it. */
export async function runDemo(box: Box, root: string): Promise<string> {
  const sh = async (script: string): Promise<string> => {
    const { code, out } = await box.run('sh', '-c', script);
    if (code !== 0) throw new Error(`${script}: ${out}`);
    return out;
  };
  await sh('id shop >/dev/null 2>&1 || useradd --system shop');
  await sh(`ln -sfn ${LAID_OUT} ${HOME} && ln -sf /mnt/share/node /usr/bin/node`);
  const unit = readFileSync(join(root, 'apps/demo/deploy/shop.service'), 'utf8');
  box.write('/run/systemd/system/shop.service', unit);
  const verified = await sh('systemd-analyze verify /run/systemd/system/shop.service');
  if (verified.trim() !== '') throw new Error(verified);
  // Enabled, it is not forgotten when it has stopped, with its exit code.
  await sh('systemctl daemon-reload && systemctl enable --runtime shop');

  const { systemctl, show, until } = serviceOf(box, 'shop');
  const cursor = async () => (await sh('journalctl -q -u shop -o cat')).length;
  const journalSince = async (from: number) =>
    (await sh('journalctl -q --sync; journalctl -q -u shop -o cat')).slice(from);
  const eventsOf = async (work: () => Promise<unknown>): Promise<string> => {
    const from = await cursor();
    await work();
    return journalSince(from);
  };
  const ask = () => sh(`node -e "${ASK}"`);
  const setLevel = async (from: string, to: string) => {
    await sh(`sed -i s/${from}/${to}/ ${LOGGING}`);
    const { code } = await systemctl('reload');
    if (code !== 0) throw new Error(`the reload ended with ${code}`);
  };

  const started = await eventsOf(async () => {
    const { code } = await systemctl('start');
    if (code !== 0) throw new Error(`it does not start: ${await journalSince(0)}`);
  });
  if (!started.includes('"message":"Host is running"')) throw new Error(`it said ${started}`);
  await until('StatusText', /^running$/);
  const { User, MainPID = '' } = await show('User', 'MainPID');
  const exposure = await checkSandbox(box, MainPID);
  if (!started.includes('AUTH_JWKS is not set') || /eyJ|office:/.test(started)) {
    throw new Error(`in production it said ${started}`);
  }
  const wrote = await eventsOf(ask);
  if (!wrote.includes('"Path":"/v1/products","Status":200')) throw new Error(`it wrote ${wrote}`);

  await setLevel('information', 'error');
  let quiet = 'not asked';
  for (let tries = 0; quiet !== '' && tries < 20; tries++) quiet = await eventsOf(ask);
  if (quiet !== '') throw new Error(`after the reload it wrote ${quiet}`);
  await setLevel('error', 'information');
  const { ms } = await systemctl('stop');
  const { Result, ExecMainStatus, ExecMainCode } = await show(
    'Result',
    'ExecMainStatus',
    'ExecMainCode',
  );
  // CLD_EXITED: it ended by itself.
  if (`${Result} ${ExecMainCode} ${ExecMainStatus}` !== 'success 1 0') {
    throw new Error(`it stopped with ${Result} ${ExecMainCode} ${ExecMainStatus}`);
  }
  const said = await journalSince(0);
  if (!said.includes('"message":"Host is stopped"')) throw new Error(`it said ${said}`);
  return `as ${User}, exposure ${exposure}, level changed, stopped with 0 after ${(ms / 1_000).toFixed(1)} s`;
}

/** What the unit promises, as the kernel has it. Gives the exposure that systemd computes, of 10. */
async function checkSandbox(box: Box, pid: string): Promise<string> {
  const { out: status } = await box.run('cat', `/proc/${pid}/status`);
  for (const wanted of [/^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m, /^CapBnd:\t0+$/m]) {
    if (!wanted.test(status)) throw new Error(`not ${wanted}: ${status}`);
  }
  for (const path of [`${HOME}/apps`, '/usr', '/etc', '/var', '/run']) {
    const { code, out } = await box.run('nsenter', '-t', pid, '-m', 'touch', `${path}/written`);
    if (code === 0 || !out.includes('Read-only')) {
      const { out: mounts } = await box.run('cat', `/proc/${pid}/mountinfo`);
      throw new Error(`${path} is writable: ${out}\n${mounts}`);
    }
  }
  const { out } = await box.run('systemd-analyze', 'security', '--no-pager', 'shop');
  const exposure = /exposure level for shop\.service: ([\d.]+)/.exec(out)?.[1];
  if (!(Number(exposure) <= MOST_EXPOSURE)) throw new Error(`it is exposed: ${out}`);
  return exposure!;
}
