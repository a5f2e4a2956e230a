import { Client, Metadata, type StatusObject, credentials, status } from '@grpc/grpc-js';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DebuggedProcess } from './debugged-process.js';

const ORDER = 'orders/1001';
const READY_MS = 30_000;

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
    try {
      const [, http] = await process.said(/REST +(\S+)/);
      const [, address] = await process.said(/gRPC +(\S+)/);
      const [, token] = await process.said(/GRACE=(\S+)/);
      await untilReady(`${http}/readyz`);
      const client = new Client(address!, credentials.createInsecure());
      return new Demo(process, http!, `Bearer ${token}`, client);
    } catch (error) {
      await process.kill();
      throw error;
    }
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

async function untilReady(url: string): Promise<void> {
  for (const end = Date.now() + READY_MS; !(await fetch(url)).ok; await sleep(50)) {
    if (Date.now() > end) throw new Error(`footprint: ${url} was not ready within ${READY_MS} ms`);
  }
}

/** A message whose field 1 is a short text. */
function orderRequest(name: string): Buffer {
  return Buffer.concat([Buffer.from([0x0a, name.length]), Buffer.from(name)]);
}
