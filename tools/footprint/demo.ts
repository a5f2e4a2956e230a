import { Client, Metadata, type StatusObject, credentials, status } from '@grpc/grpc-js';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DebuggedProcess } from './debugged-process.js';

const ORDER = 'orders/1001';

/** The demo in a process of its own, on free ports, and what its clients do. */
export class Demo {
  private constructor(
    readonly process: DebuggedProcess,
    private readonly http: string,
    private readonly token: string,
    private readonly client: Client,
  ) {}

  /** @param folder for its database and its log. */
  static async start(root: string, folder: string): Promise<Demo> {
    const config = join(folder, 'logging.yaml');
    await writeFile(config, `sinks: [{ type: file, path: '${join(folder, 'shop.jsonl')}' }]\n`);
    const process = await DebuggedProcess.start(['dist/apps/demo/src/main.js'], {
      cwd: root,
      env: {
        PORT: '0',
        GRPC_PORT: '0',
        DATA_DIR: join(folder, 'data'),
        LOG_CONFIG: config,
        OFFICE_PASSWORD: '',
      },
    });
    const [, http] = await process.said(/REST +(\S+)/);
    const [, address] = await process.said(/gRPC +(\S+)/);
    const [, token] = await process.said(/GRACE=(\S+)/);
    const client = new Client(address!, credentials.createInsecure());
    const demo = new Demo(process, http!, `Bearer ${token}`, client);
    while (!(await fetch(`${http}/readyz`)).ok) await sleep(50);
    return demo;
  }

  /** Reads an order by gRPC. */
  async call(): Promise<void> {
    const metadata = new Metadata();
    metadata.set('authorization', this.token);
    const ended = await new Promise<StatusObject>((resolve) => {
      this.client
        .makeUnaryRequest(
          '/shop.v1.Orders/Get',
          (bytes: Buffer) => bytes,
          (bytes) => bytes,
          orderRequest(ORDER),
          metadata,
          () => {},
        )
        .on('status', resolve);
    });
    if (ended.code !== status.OK) {
      throw new Error(
        `footprint: the gRPC call ended with ${status[ended.code]}: ${ended.details}`,
      );
    }
  }

  /** Reads the same order by REST. */
  rest(): Promise<void> {
    return this.#get(`/v1/${ORDER}`, { authorization: this.token });
  }

  probe(): Promise<void> {
    return this.#get('/readyz');
  }

  closeClient(): void {
    this.client.close();
  }

  async #get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const response = await fetch(this.http + path, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`footprint: GET ${path}: ${response.status} ${text}`);
  }
}

/** A message whose field 1 is a short text. */
function orderRequest(name: string): Buffer {
  return Buffer.concat([Buffer.from([0x0a, name.length]), Buffer.from(name)]);
}
