import { mkdtempSync, rmSync } from 'node:fs';
import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/testing/free-port.js';
import { AppProcess, type AppSettings } from './app-process.js';
import { authority } from './certificates.js';
import { type KeyServer, startKeyServer } from './key-server.js';
import { LogFile } from './log-file.js';
import { Relay } from './relay.js';
import type { CallerPorts, CallerReport } from './second-caller.js';

/** An entry point: how a stranger comes in. */
export type Door =
  | 'gRPC'
  | 'gRPC with certificates'
  | 'REST in-process'
  | 'REST over the network'
  | 'WebSocket'
  | 'WebSocket over the network'
  | 'Connect'
  | 'Connect over the network'
  | 'gRPC-Web'
  | 'gRPC-Web over the network'
  | 'gRPC on the shared port'
  | 'SSE'
  | 'SSE over the network'
  | 'MCP'
  | 'HTTP controller'
  | 'messages';

/**
 * The processes under attack: one with every entry point, gateways in front of it, and one that
 * asks for certificates.
 */
export class Site {
  private readonly folder = mkdtempSync(join(tmpdir(), 'apix-hostile-'));
  private processes!: Readonly<Record<'house' | 'front' | 'far' | 'shared' | 'gate', AppProcess>>;
  private caller!: ChildProcess;
  private count = 0;
  /** The gateway behind the relay; the others are connected directly. */
  relay!: Relay;
  keys!: KeyServer;
  readonly logs = {
    house: new LogFile(join(this.folder, 'house.log')),
    front: new LogFile(join(this.folder, 'front.log')),
    far: new LogFile(join(this.folder, 'far.log')),
    shared: new LogFile(join(this.folder, 'shared.log')),
    gate: new LogFile(join(this.folder, 'gate.log')),
  };

  private constructor(
    private readonly how: Pick<AppSettings, 'open' | 'stack'>,
    private readonly warmUp: (site: Site) => Promise<void>,
  ) {}

  /**
   * @param how whether the policy is only looked at, and what the gRPC servers run on; see {@link AppProcess}.
   * @param warmUp is called whenever the processes were started.
   */
  static async start(
    how: Pick<AppSettings, 'open' | 'stack'>,
    warmUp: (site: Site) => Promise<void>,
  ): Promise<Site> {
    const site = new Site(how, warmUp);
    site.keys = await startKeyServer();
    site.relay = await Relay.start(() => site.house.ports.grpc);
    site.caller = fork(fileURLToPath(new URL('second-caller.mjs', import.meta.url)), {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    await site.restart();
    return site;
  }

  /** Whether a row has left something behind. */
  isSpoilt = false;

  /** Starts all processes, in the place of those that run. */
  async restart(): Promise<void> {
    await this.stopApps();
    this.isSpoilt = false;
    const shared = { jwks: this.keys.url, ...this.how };
    const messages = await freePort();
    const house = await AppProcess.start({
      ...shared,
      log: this.logs.house.path,
      endpoint: '',
      messages,
    });
    const gateway = (log: LogFile, port: number, http2 = false): Promise<AppProcess> => {
      const endpoint = `127.0.0.1:${port}`;
      return AppProcess.start({ ...shared, log: log.path, endpoint, http2, messages: 0 });
    };
    this.messagesPort = messages;
    const { cert: clientCa } = authority;
    const tls = { ...authority.server, clientCa };
    const none = { endpoint: '', messages: 0 };
    const [front, far, http2, gate] = await Promise.all([
      gateway(this.logs.front, house.ports.grpc),
      gateway(this.logs.far, this.relay.port),
      gateway(this.logs.shared, house.ports.grpc, true),
      AppProcess.start({ ...shared, ...none, log: this.logs.gate.path, tls }),
    ]);
    this.processes = { house, front, far, shared: http2, gate };
    const ports: CallerPorts = {
      grpc: house.ports.grpc,
      rest: house.ports.http,
      network: front.ports.http,
    };
    await this.warmUp(this);
    this.caller.send(ports);
  }

  /** What the gRPC servers run on. */
  get stack(): AppSettings['stack'] {
    return this.how.stack;
  }

  /** Where messages of Nest's TCP transport are taken. */
  messagesPort = 0;

  get house(): AppProcess {
    return this.processes.house;
  }

  /** A gateway in front of the house. */
  get front(): AppProcess {
    return this.processes.front;
  }

  /** A gateway in front of the house, behind the relay. */
  get far(): AppProcess {
    return this.processes.far;
  }

  /** A gateway in front of the house that speaks HTTP/2, and so has gRPC on its port. */
  get shared(): AppProcess {
    return this.processes.shared;
  }

  /** A gRPC server that asks for certificates. */
  get gate(): AppProcess {
    return this.processes.gate;
  }

  get apps(): readonly (readonly [name: string, app: AppProcess])[] {
    return Object.entries(this.processes);
  }

  portOf(door: Door): number {
    switch (door) {
      case 'gRPC':
        return this.house.ports.grpc;
      case 'gRPC with certificates':
        return this.gate.ports.grpc;
      case 'gRPC on the shared port':
        return this.shared.ports.http;
      case 'REST over the network':
      case 'Connect over the network':
      case 'gRPC-Web over the network':
      case 'SSE over the network':
      case 'WebSocket over the network':
        return this.front.ports.http;
      case 'REST in-process':
      case 'Connect':
      case 'gRPC-Web':
      case 'SSE':
      case 'WebSocket':
      case 'MCP':
      case 'HTTP controller':
        return this.house.ports.http;
      case 'messages':
        return this.messagesPort;
    }
  }

  /** The events of the process that a door belongs to. */
  logOf(door: Door): LogFile {
    if (door === 'gRPC with certificates') return this.logs.gate;
    if (door === 'gRPC on the shared port') return this.logs.shared;
    return door.endsWith('over the network') ? this.logs.front : this.logs.house;
  }

  /** An id for a request that has not been used. */
  id(): string {
    this.count += 1;
    return `stranger-${process.pid}-${this.count}`;
  }

  /** How the second caller fared since it was last asked. */
  callerReport(): Promise<CallerReport> {
    const report = new Promise<CallerReport>((resolve) => this.caller.once('message', resolve));
    this.caller.send('report');
    return report;
  }

  async stop(): Promise<void> {
    await this.stopApps();
    this.caller.kill();
    this.relay.close();
    this.keys.close();
    rmSync(this.folder, { recursive: true });
  }

  private async stopApps(): Promise<void> {
    await Promise.all(Object.values(this.processes ?? {}).map((app) => app.kill()));
  }
}
