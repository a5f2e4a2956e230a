import { systemdUnit } from '@apix/hostx-os/sdnotify';
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
  /** Resolves with what was seen; rejects when that is not what should be. */
  run(service: Service): Promise<string>;
}

/** A unit in the box. */
export interface Service {
  readonly systemctl: (verb: string) => Promise<{ code: number; ms: number }>;
  readonly show: (...names: string[]) => Promise<Record<string, string>>;
  /** Asks again and again until the property has the value. */
  readonly until: (name: string, value: RegExp) => Promise<string>;
}

export function serviceOf(box: Box, name: string): Service {
  const show = (...names: string[]) => box.show(name, ...names);
  return {
    systemctl: (verb) => box.run('systemctl', verb, name),
    show,
    async until(property, value) {
      const end = Date.now() + 15_000;
      for (;;) {
        const { [property]: seen = '' } = await show(property);
        if (value.test(seen)) return seen;
        if (Date.now() > end) throw new Error(`${property} stays ${seen}, not ${String(value)}`);
        await sleep(50);
      }
    },
  };
}

export function unitText({ shows, environment, service = [], type }: Scenario): string {
  const text = systemdUnit({
    description: shows,
    execStart: '/mnt/share/node /mnt/share/service.mjs',
    environment,
    ...(type && { type }),
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
    environment: { START_MS: '1500' },
    async run({ systemctl, until, show }) {
      const start = systemctl('start');
      await until('StatusText', /^starting: waiting for work$/);
      const { code, ms } = await start;
      expect(code === 0 && ms >= 1_500, `start took ${seconds(ms)}, code ${code}`);
      const { StatusText } = await show('StatusText');
      expect(StatusText === 'running', `status is ${StatusText}`);
      const stop = await systemctl('stop');
      const { Result } = await show('Result');
      expect(stop.code === 0 && Result === 'success', `stop gave ${Result}`);
      return `started after ${seconds(ms)}, stopped after ${seconds(stop.ms)}`;
    },
  },
  {
    name: 'slow-start',
    shows: 'a start longer than TimeoutStartSec asks for more time',
    environment: { START_MS: '5000' },
    service: ['TimeoutStartSec=2'],
    async run({ systemctl }) {
      const { code, ms } = await systemctl('start');
      expect(code === 0 && ms >= 5_000, `code ${code} after ${seconds(ms)}`);
      return `started after ${seconds(ms)}`;
    },
  },
  {
    name: 'slow-start-silent',
    shows: 'without asking it is killed (the control)',
    environment: { START_MS: '5000', EXTEND: '0' },
    service: ['TimeoutStartSec=2', 'Restart=no'],
    async run({ systemctl, show }) {
      const { code, ms } = await systemctl('start');
      const { Result } = await show('Result');
      expect(code !== 0 && Result === 'timeout', `code ${code}, ${Result}`);
      return `${Result} after ${seconds(ms)}`;
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
    service: ['WatchdogSec=1'],
    async run({ systemctl, show }) {
      await systemctl('start');
      await sleep(5_000);
      const { NRestarts, ActiveState } = await show('NRestarts', 'ActiveState');
      expect(NRestarts === '0' && ActiveState === 'active', `${ActiveState}, ${NRestarts}`);
      return 'active after 5 s, not restarted';
    },
  },
  {
    name: 'watchdog-blocked',
    shows: 'a blocked event loop is killed and restarted',
    environment: { SPIN_MS: '500' },
    // It hears no SIGTERM either, when everything is over.
    service: ['WatchdogSec=1', 'RestartSec=100ms', 'TimeoutStopSec=2'],
    async run({ systemctl, until }) {
      await systemctl('start');
      return `${await until('NRestarts', /^[1-9]/)} restart(s)`;
    },
  },
  {
    name: 'watchdog-sick',
    shows: 'a host that is not healthy is killed and restarted',
    environment: { SICK_MS: '500' },
    service: ['WatchdogSec=1', 'RestartSec=100ms'],
    async run({ systemctl, until }) {
      await systemctl('start');
      return `${await until('NRestarts', /^[1-9]/)} restart(s)`;
    },
  },
  {
    name: 'reload-signal',
    shows: 'systemctl reload reloads by SIGHUP',
    environment: { RELOAD_MS: '2000' },
    async run({ systemctl, until }) {
      await systemctl('start');
      const begun = performance.now();
      // It may end with the signal sent, or wait: whichever systemd hears of first.
      const reload = systemctl('reload');
      await until('SubState', /^reload/);
      await until('SubState', /^running$/);
      const ms = performance.now() - begun;
      const { code } = await reload;
      expect(code === 0 && ms >= 2_000, `code ${code}, running after ${seconds(ms)}`);
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
    environment: { STOP_MS: '5000' },
    service: ['TimeoutStopSec=2'],
    async run({ systemctl, until, show }) {
      await systemctl('start');
      const stop = systemctl('stop');
      await until('StatusText', /^stopping: waiting for work$/);
      const { ms } = await stop;
      const { Result } = await show('Result');
      expect(Result === 'success' && ms >= 5_000, `${Result} after ${seconds(ms)}`);
      return `stopped after ${seconds(ms)}`;
    },
  },
  {
    name: 'slow-stop-silent',
    shows: 'without asking it is killed (the control)',
    environment: { STOP_MS: '8000', EXTEND: '0' },
    service: ['TimeoutStopSec=2'],
    async run({ systemctl, show }) {
      await systemctl('start');
      const { ms } = await systemctl('stop');
      const { Result } = await show('Result');
      expect(Result === 'timeout', `${Result} after ${seconds(ms)}`);
      return `${Result} after ${seconds(ms)}`;
    },
  },
];
