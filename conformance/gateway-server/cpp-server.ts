import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const HERE = 'conformance/gateway-server/cpp';

/** A server of gRPC C++ as a process, compiled here. */
export class CppServer {
  /** How many calls have come. */
  calls = 0;

  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
  ) {}

  /** @param folder for what is compiled. */
  static async start(folder: string): Promise<CppServer> {
    const child = spawn(compiled(join(folder, 'cpp')), { stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout });
    const [first] = (await once(lines, 'line')) as [string];
    const server = new CppServer(Number(/^ready (\d+)$/.exec(first)![1]), child);
    lines.on('line', () => (server.calls += 1));
    return server;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.stdin!.end();
    await exit;
  }
}

/** @returns the path of the program. */
function compiled(out: string): string {
  mkdirSync(out);
  const run = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { encoding: 'utf8' });
  const plugin = `protoc-gen-grpc=${run('which', 'grpc_cpp_plugin').trim()}`;
  run('/usr/bin/protoc', `-I${HERE}`, `--cpp_out=${out}`, 'seeds.proto');
  run('/usr/bin/protoc', `-I${HERE}`, `--grpc_out=${out}`, `--plugin=${plugin}`, 'seeds.proto');
  const sources = [`${HERE}/server.cc`, `${out}/seeds.pb.cc`, `${out}/seeds.grpc.pb.cc`];
  const libraries = run('pkg-config', '--libs', 'grpc++', 'protobuf').trim().split(/\s+/);
  const program = join(out, 'server');
  const options = ['-std=c++17', '-O0', `-I${out}`, ...sources, '-o', program];
  run('g++', ...options, '-lgrpc++_reflection', ...libraries);
  return program;
}
