import { type Clock, systemClock } from '@apix/contracts';
import type { Observer } from '../observer.js';

/** The names of the observer's callbacks, which can be recorded. */
export type RecordedKind = keyof Observer;

export interface RecordedEvent {
  readonly kind: RecordedKind;
  /** The service or task that it is about; empty for the host itself. */
  readonly service: string;
  /** The recorded calls. */
  readonly detail: Readonly<Record<string, unknown>>;
}

const KINDS: Readonly<Record<RecordedKind, true>> = {
  hostPhaseChanged: true,
  serviceStarting: true,
  serviceStarted: true,
  serviceReady: true,
  serviceCompleted: true,
  serviceStopping: true,
  serviceStopped: true,
  serviceRestarting: true,
  serviceRestartAsked: true,
  serviceFailed: true,
  serviceAbandoned: true,
  taskStarting: true,
  taskDone: true,
  reloadDone: true,
};

/** Records every call of a host to its observers. */
export class Recorder {
  readonly events: RecordedEvent[] = [];
  readonly #waiting = new Set<() => void>();

  /** The observer to register. */
  readonly observer: Observer;

  constructor() {
    const record =
      (kind: RecordedKind) =>
      (detail: object): void => {
        const { service, task } = detail as { service?: string; task?: string };
        this.events.push({ kind, service: service ?? task ?? '', detail: { ...detail } });
        for (const look of this.#waiting) look();
      };
    this.observer = Object.fromEntries(
      (Object.keys(KINDS) as RecordedKind[]).map((kind) => [kind, record(kind)]),
    );
  }

  /** Whether it happened; an empty name matches any service. */
  has(kind: RecordedKind, service = ''): boolean {
    return this.events.some(
      (event) => event.kind === kind && (service === '' || event.service === service),
    );
  }

  /** True as soon as it has happened, false if it has not within `timeoutMs`. Default: 1000. */
  waitFor(
    kind: RecordedKind,
    service = '',
    timeoutMs = 1_000,
    clock: Clock = systemClock,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (happened: boolean): void => {
        cancel();
        this.#waiting.delete(look);
        resolve(happened);
      };
      const cancel = clock.after(timeoutMs, () => finish(false));
      const look = (): void => {
        if (this.has(kind, service)) finish(true);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
