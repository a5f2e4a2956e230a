import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../testing/free-port.js';
import { type Program, program } from '../testing/program.js';
import { until } from '../testing/until.js';
import { codeBlocksOf } from './code-blocks.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the pages call `OrdersModule` is the reader's own. */
const ORDERS = `
  import { ProtoModule } from '@apix/proto';
  const protos = ProtoModule.forRoot({ descriptors: '${join(root, 'apps/demo/gen/shop.binpb')}' });
  @Module({ imports: [protos] }) class OrdersModule {}
`;

function blocksOf(recipe: string, language: string): string[] {
  return codeBlocksOf(root, `docs/recipes/${recipe}.md`)
    .filter((block) => block.language === language)
    .map(({ code }) => code);
}

describe('the app of a recipe, started and ended as it will be:', () => {
  const programs: Program[] = [];
  afterEach(async () => {
    for (const one of programs.splice(0)) await one.remove();
  });

  /** Starts the app at a port, with a channel as a cluster's workers have one. */
  async function start(recipe: string, port: number): Promise<ChildProcess> {
    const code = [ORDERS, ...blocksOf(recipe, 'ts')]
      .join('\n')
      .replaceAll('port: 3000', `port: ${port}`)
      .replaceAll('port: 50051', 'port: 0')
      .replaceAll('0.0.0.0', '127.0.0.1');
    const app = await program({ code, folder: pathToFileURL(`${root}/`) });
    programs.push(app);
    return fork(app.file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
  }

  it('the health check of the Docker image holds until a SIGTERM ends the app with 0', async () => {
    const port = await freePort();
    const [image] = blocksOf('docker', 'dockerfile');
    const [, command] = /^HEALTHCHECK .*\\\n +CMD (.*)$/m.exec(image!)!;
    const [, ...args] = JSON.parse(command!.replace('3000', String(port))) as string[];
    const check = (): number | null => spawnSync(process.execPath, args).status;
    const app = await start('docker', port);
    await until(() => check() === 0);
    app.kill('SIGTERM');
    expect(await once(app, 'exit')).toEqual([0, null]);
    expect(check()).toBe(1);
  });

  it('PM2 gets its message once HTTP listens, and its SIGINT ends the app with 0', async () => {
    const port = await freePort();
    const app = await start('pm2', port);
    expect(await once(app, 'message')).toEqual(['ready', undefined]);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    app.kill('SIGINT');
    expect(await once(app, 'exit')).toEqual([0, null]);
  });

  it('PM2 waits for longer than the host may take', () => {
    const [config] = blocksOf('pm2', 'js');
    const context = { module: { exports: { apps: [{ kill_timeout: 0 }] } } };
    runInNewContext(config!, context);
    const [, seconds] = /shutdownTimeout: '(\d+)s'/.exec(blocksOf('pm2', 'ts').join())!;
    expect(context.module.exports.apps[0]!.kill_timeout).toBeGreaterThan(1000 * Number(seconds));
  });

  it('Kubernetes finds the blue/green app ready, and its SIGTERM ends it with 0', async () => {
    const port = await freePort();
    const app = await start('blue-green', port);
    for (let ready = false; !ready;) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      ready = answer?.ok === true;
    }
    app.kill('SIGTERM');
    expect(await once(app, 'exit')).toEqual([0, null]);
  });

  it('the commands of blue/green are what a shell and kubectl can read', () => {
    const [commands] = blocksOf('blue-green', 'bash');
    expect(spawnSync('bash', ['-n'], { input: commands! }).status).toBe(0);
    const [, patch] = / -p '([^']+)'/.exec(commands!)!;
    expect(JSON.parse(patch!)).toEqual({ spec: { selector: { app: 'shop', slot: 'green' } } });
  });
});
