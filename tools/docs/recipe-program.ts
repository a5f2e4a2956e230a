import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../testing/free-port.js';
import { program } from '../testing/program.js';
import { type CodeBlock, codeBlocksOf } from './code-blocks.js';
import { buildSet } from './descriptor-set.js';

/** What the `try.ts` of a recipe prints while its `main.ts` runs, and what its page says of that. */
export interface RecipeRun {
  readonly printed: string;
  readonly promised: string;
  /** Of the app, after a SIGTERM. */
  readonly exitCode: number | null;
}

const BLANK_ENDS = / +$/gm;

/**
 * Runs the files of a recipe as a reader would, in an empty folder; its ports are free ones.
 *
 * @param shop the descriptor set of recipes that show no .proto file.
 */
export async function runRecipe(root: string, page: string, shop: string): Promise<RecipeRun> {
  const blocks = codeBlocksOf(root, page);
  const [promised] = blocks.filter(({ language }) => language === 'text');
  const folder = mkdtempSync(join(tmpdir(), 'apix-recipe-'));
  const [http, grpc] = [await freePort(), await freePort()];
  const withPorts = (code: string): string =>
    code
      .replaceAll('port: 3000', `port: ${http}, host: '127.0.0.1'`)
      .replaceAll('port: 50051', `port: ${grpc}, host: '127.0.0.1'`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${http}`);
  for (const { file, code } of blocks) {
    if (file !== undefined) writeFileSync(join(folder, file), withPorts(code));
  }
  writeDescriptors(root, folder, blocks, shop);
  const app = await program(pathToFileURL(join(folder, 'main.ts')));
  const attempt = await program(pathToFileURL(join(folder, 'try.ts')));
  try {
    const running = app.runIn(folder);
    await Promise.race([listens(http), running.ended]);
    const { out, err } = await attempt.runIn(folder).ended;
    running.process.kill('SIGTERM');
    const { code } = await running.ended;
    return {
      printed: (out + err).replaceAll(BLANK_ENDS, ''),
      promised: promised!.code.replaceAll(BLANK_ENDS, ''),
      exitCode: code,
    };
  } finally {
    await app.remove();
    await attempt.remove();
    rmSync(folder, { recursive: true });
  }
}

/** What the page takes as given: the descriptor set, and the code generated of the demo's protos. */
function writeDescriptors(
  root: string,
  folder: string,
  blocks: readonly CodeBlock[],
  shop: string,
): void {
  const [proto] = blocks.filter(({ language }) => language === 'proto');
  const set = proto === undefined ? shop : buildSet(root, folder, 'set.binpb', proto.code);
  mkdirSync(join(folder, 'gen'));
  cpSync(set, join(folder, 'gen/shop.binpb'));
  symlinkSync(join(root, 'apps/demo/src/gen/shop'), join(folder, 'gen/shop'));
}

/** HTTP is the last to start. */
async function listens(port: number): Promise<void> {
  for (let connected = false; !connected;) {
    connected = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => setTimeout(resolve, 20, false));
    });
  }
}
