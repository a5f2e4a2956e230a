import { type UnitConfig, systemdUnit } from '@apix/hostx-os/sdnotify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Box } from './box.js';

export interface Scenario {
  /** Also the unit's name. */
  readonly name: string;
  readonly shows: string;
  /** The oldest systemd that knows what it is about. Default: any. */
  readonly since?: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Lines of the unit's `[Service]` part that the test wants otherwise. */
  readonly service?: readonly string[];
  readonly type?: 'notify' | 'notify-reload';
  /** Further settings of the unit. */
  readonly unit?: Partial<UnitConfig>;
  /** Resolves with what was seen; rejects when that is not what should be. */
  run(service: Service): Promise<string>;
}

/** A unit in the box. */
export interface Service {
  readonly systemctl: (verb: string) => Promise<{ code: number; ms: number }>;
  readonly show: (...names: string[]) => Promise<Record<string, string>>;
  /** Asks again and again until the property has the value. */
  readonly until: (name: string, value: RegExp) => Promise<string>;
  /** Has the unit wait, where its HOLD says so, until it is released. */
  readonly hold: () => Promise<void>;
  readonly release: () => void;
}

/** For what must happen some time, on a machine that may have other work. */
const PATIENCE_MS = 60_000;

export function serviceOf(box: Box, name: string): Service {
  const show = (...names: string[]) => box.show(name, ...names);
  const file = holdFile(name);
  return {
    systemctl: (verb) => box.run('systemctl', verb, name),
    show,
    async until(property, value) {
      const end = Date.now() + PATIENCE_MS;
      for (;;) {
        const { [property]: seen = '' } = await show(property);
        if (value.test(seen)) return seen;
        if (Date.now() > end) throw new Error(`${property} stays ${seen}, not ${String(value)}`);
        await sleep(50);
      }
    },
    hold: async () => void (await box.run('rm', '-f', file)),
    release: () => box.write(file, ''),
  };
}

/** The file for which a unit waits whose HOLD names it. */
function holdFile(name: string): string {
  return `/run/${name}.go`;
}

export function unitText({ shows, environment, service = [], type, unit }: Scenario): string {
  const text = systemdUnit({
    description: shows,
    execStart: '/mnt/share/node /mnt/share/service.mjs',
    environment,
    ...(type && { type }),
    ...unit,
  });
  const overridden = service.map((line) => line.slice(0, line.indexOf('=') + 1));
  const kept = text.split('\n').filter((line) => !overridden.some((key) => line.startsWith(key)));
  return kept.join('\n').replace('[Service]', `[Service]\n${service.join('\n')}`);
}

function expect(isTrue: boolean, text: string): void {
  if (!isTrue) throw new Error(text);
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'ready',
    shows: 'start waits for READY, and the status says for whom',
    environment: { HOLD: holdFile('ready') },
    service: ['TimeoutStartSec=60'],
    async run({ systemctl, until, show, hold, release }) {
      await hold();
      let isStarted = false;
      const start = systemctl('start').finally(() => (isStarted = true));
      await until('StatusText', /^starting: waiting for work$/);
      expect(!isStarted, 'start came back before the service was ready');
      release();
      const { code, ms } = await start;
      expect(code === 0, `start took ${seconds(ms)}, code ${code}`);
      // The status is sent after READY, which is what start waits for.
      await until('StatusText', /^running$/);
      const stop = await systemctl('stop');
      const { Result } = await show('Result');
      expect(stop.code === 0 && Result === 'success', `stop gave ${Result}`);
      return `started after ${seconds(ms)}, stopped after ${seconds(stop.ms)}`;
    },
  },
  {
    name: 'slow-start',
    shows: 'a start longer than TimeoutStartSec asks for more time',
    environment: { START_MS: '14000' },
    service: ['TimeoutStartSec=10'],
    async run({ systemctl }) {
      const { code, ms } = await systemctl('start');
      expect(code === 0 && ms >= 14_000, `code ${code} after ${seconds(ms)}`);
      return `started after ${seconds(ms)}`;
    },
  },
  {
    name: 'slow-start-silent',
    shows: 'without asking it is killed (the control)',
    environment: { START_MS: '40000', EXTEND: '0' },
    service: ['TimeoutStartSec=10', 'Restart=no'],
    async run({ systemctl, show }) {
      const { code, ms } = await systemctl('start');
      const { Result } = await show('Result');
      expect(code !== 0 && Result === 'timeout', `code ${code}, ${Result}`);
      return `${Result} after ${seconds(ms)}`;
    },
  },
  {
    name: 'settings',
    shows: 'other units, limits, a group and a restart are as written',
    environment: {},
    unit: {
      environmentFile: '-/etc/settings.env',
      after: ['local-fs.target'],
      requires: ['basic.target'],
      group: 'daemon',
      limits: {
        nofile: '4096:8192',
        nproc: 512,
        core: 0,
        memoryHigh: '400M',
        memoryMax: '512M',
        tasksMax: 128,
        cpuQuota: '150%',
      },
      restart: 'always',
      restartSec: '2.5s',
    },
    async run({ systemctl, show }) {
      const { code } = await systemctl('start');
      expect(code === 0, `start gave ${code}`);
      const expected = {
        LimitNOFILE: '8192',
        LimitNOFILESoft: '4096',
        LimitNPROC: '512',
        LimitCORE: '0',
        MemoryHigh: String(400 * 1_024 ** 2),
        MemoryMax: String(512 * 1_024 ** 2),
        TasksMax: '128',
        CPUQuotaPerSecUSec: '1.500000s',
        Group: 'daemon',
        Restart: 'always',
        RestartUSec: '2.500000s',
      };
      const seen = await show(...Object.keys(expected), 'Requires', 'After');
      for (const [name, value] of Object.entries(expected)) {
        const isSame = seen[name] === value || seen[name] === value.replace(/0+s$/, 's');
        expect(isSame, `${name} is ${seen[name]}, not ${value}`);
      }
      expect(seen['Requires']!.includes('basic.target'), `Requires is ${seen['Requires']}`);
      expect(seen['After']!.includes('local-fs.target'), `After is ${seen['After']}`);
      return `${Object.keys(expected).length + 2} settings`;
    },
  },
  {
    name: 'crash',
    shows: 'a crash restarts it',
    environment: { CRASH_MS: '300' },
    service: ['RestartSec=100ms'],
    async run({ systemctl, until }) {
      await systemctl('start');
      const restarts = await until('NRestarts', /^[1-9]/);
      return `${restarts} restart(s)`;
    },
  },
  {
    name: 'watchdog-alive',
    shows: 'pings keep the watchdog quiet',
    environment: {},
    // Pings are sent twice as often. Within less, a busy machine may not run a process at all.
    service: ['WatchdogSec=5'],
    async run({ systemctl, show }) {
      await systemctl('start');
      await sleep(20_000);
      const { NRestarts, ActiveState } = await show('NRestarts', 'ActiveState');
      expect(NRestarts === '0' && ActiveState === 'active', `${ActiveState}, ${NRestarts}`);
      return 'active after 20 s, not restarted';
    },
  },
  {
    name: 'watchdog-blocked',
    shows: 'a blocked event loop is killed and restarted',
    environment: { SPIN_MS: '500' },
    // It hears no SIGTERM either, when everything is over.
    service: ['WatchdogSec=5', 'RestartSec=100ms', 'TimeoutStopSec=2'],
    async run({ systemctl, until }) {
      await systemctl('start');
      return `${await until('NRestarts', /^[1-9]/)} restart(s)`;
    },
  },
  {
    name: 'watchdog-sick',
    shows: 'a host that is not healthy is killed and restarted',
    environment: { SICK_MS: '500' },
    service: ['WatchdogSec=5', 'RestartSec=100ms'],
    async run({ systemctl, until }) {
      await systemctl('start');
      return `${await until('NRestarts', /^[1-9]/)} restart(s)`;
    },
  },
  {
    name: 'reload-signal',
    shows: 'systemctl reload reloads by SIGHUP',
    environment: { HOLD: holdFile('reload-signal') },
    async run({ systemctl, until, hold, release }) {
      release();
      await systemctl('start');
      await hold();
      const begun = performance.now();
      // It may end with the signal sent, or wait: whichever systemd hears of first.
      const reload = systemctl('reload');
      await until('SubState', /^reload/);
      release();
      await until('SubState', /^running$/);
      const ms = performance.now() - begun;
      const { code } = await reload;
      expect(code === 0, `code ${code}, running after ${seconds(ms)}`);
      return `reloading, then running after ${seconds(ms)}`;
    },
  },
  {
    name: 'reload-notify',
    shows: 'notify-reload lets systemctl reload wait for its end',
    since: 253,
    environment: { RELOAD_MS: '800' },
    type: 'notify-reload',
    async run({ systemctl }) {
      await systemctl('start');
      const { code, ms } = await systemctl('reload');
      expect(code === 0 && ms >= 800, `code ${code} after ${seconds(ms)}`);
      return `reloaded after ${seconds(ms)}`;
    },
  },
  {
    name: 'slow-stop',
    shows: 'a stop longer than TimeoutStopSec asks for more time',
    environment: { STOP_MS: '9000', HOLD: holdFile('slow-stop') },
    service: ['TimeoutStopSec=5'],
    async run({ systemctl, until, show, hold, release }) {
      release();
      await systemctl('start');
      await hold();
      const stop = systemctl('stop');
      await until('StatusText', /^stopping: waiting for work$/);
      release();
      const { ms } = await stop;
      const { Result } = await show('Result');
      expect(Result === 'success' && ms >= 9_000, `${Result} after ${seconds(ms)}`);
      return `stopped after ${seconds(ms)}`;
    },
  },
  {
    name: 'slow-stop-silent',
    shows: 'without asking it is killed (the control)',
    environment: { STOP_MS: '40000', EXTEND: '0' },
    service: ['TimeoutStopSec=5'],
    async run({ systemctl, show }) {
      await systemctl('start');
      const { ms } = await systemctl('stop');
      const { Result } = await show('Result');
      expect(Result === 'timeout', `${Result} after ${seconds(ms)}`);
      return `${Result} after ${seconds(ms)}`;
    },
  },
];
