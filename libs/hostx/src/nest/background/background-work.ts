import {
  type Deadline,
  JobSource,
  type JobState,
  type MetricReading,
  MetricSource,
  type WorkScope,
} from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { WorkLedger } from '../../background/work-ledger.js';
import { readingsOfWork } from '../../background/followed-work.js';
import type { Service } from '../../service.js';
import { HostExplorer } from '../explorer.js';
import { optionalProvider, singletonsOf } from '../optional-provider.js';
import { BullSource } from './bull-source.js';
import { BullmqSource } from './bullmq-source.js';
import { drainSources } from './work-source.js';
import { MessageServer } from './message-server.js';
import { isMessageServer } from './rpc-server.js';
import { ScheduleSource } from './schedule-source.js';
import { SocketMessages } from './socket-messages.js';
import type { WorkSource } from './work-source.js';

/** The work that modules of others begin in this app: jobs, schedules, messages. */
@Injectable()
@JobSource()
@MetricSource()
export class BackgroundWork implements JobSource, MetricSource {
  readonly #modules: ModulesContainer;
  readonly #ledger: WorkLedger;
  readonly #sources: WorkSource[] = [];
  readonly #servers = new Map<object, MessageServer>();
  #sockets: SocketMessages | null = null;
  #scopes: readonly WorkScope[] | null = null;
  #isAdopted = false;

  constructor(@Inject(ModulesContainer) modules: ModulesContainer) {
    this.#modules = modules;
    this.#ledger = new WorkLedger(() => (this.#scopes ??= new HostExplorer(modules).scopes()));
  }

  /**
   * Follows the handlers of the app, from before `app.init()` on, where their modules register
   * them. Does nothing when called again.
   */
  adopt(): void {
    if (this.#isAdopted) return;
    this.#isAdopted = true;
    const logger = new Logger('Host');
    const instances = singletonsOf(this.#modules);
    for (const source of [
      ScheduleSource.find(instances, this.#ledger, logger),
      BullmqSource.find(instances, this.#ledger, logger),
      BullSource.find(instances, this.#ledger),
    ]) {
      if (source !== null) this.#sources.push(source);
    }
    const config = optionalProvider(this.#modules, ApplicationConfig);
    if (config !== undefined) this.#sockets = new SocketMessages(config, this.#ledger);
    // Replays the connected servers, and emits each server that is connected later.
    this.#modules.getRpcTargetRegistry<unknown>().subscribe((target) => {
      if (!isMessageServer(target) || this.#servers.has(target)) return;
      this.#servers.set(target, new MessageServer(target, this.#ledger));
    });
  }

  /** The servers of messages, as Nest has them. */
  get messageServers(): readonly object[] {
    return [...this.#servers.keys()];
  }

  /** Whether any job or schedule of another module was registered. */
  get hasJobs(): boolean {
    return this.#sources.some(({ works }) => works.length > 0);
  }

  /** Jobs and schedules as a service of the host; empty where the app has none. */
  // Why it is a transport: docs/decisions/0230
  jobServices(): readonly Service[] {
    const sources = this.#sources;
    if (sources.length === 0) return [];
    const jobs: Service = {
      name: 'background-work',
      start: untilAborted,
      beginDrain: () => {
        this.#ledger.beginStop();
        // A failure here occurs again, and is reported, when it stops.
        for (const source of sources) void source.stopIntake().catch(() => {});
      },
      stop: (deadline) => drainSources(sources, deadline),
    };
    return [jobs];
  }

  /**
   * Ends the intake of messages and waits for those under way.
   *
   * @throws HostError that names those that have not ended by the deadline.
   */
  drainMessages(deadline: Deadline): Promise<void> {
    return drainSources([...this.#servers.values()], deadline);
  }

  /**
   * Waits for the messages under way of WebSockets, which take more as long as they are open.
   *
   * @throws HostError that names those that have not ended by the deadline.
   */
  async drainSockets(deadline: Deadline): Promise<void> {
    if (this.#sockets !== null) await drainSources([this.#sockets], deadline);
  }

  jobs(): readonly JobState[] {
    return this.#ledger.states();
  }

  *metrics(): Iterable<MetricReading> {
    for (const work of this.#ledger.works) yield* readingsOfWork(work);
  }
}
