import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../testing/free-port.js';
import { program } from '../testing/program.js';
import { codeBlocksOf } from './code-blocks.js';
import { buildSet } from './descriptor-set.js';

/** What a recipe prints when its blocks are one program, and what its page says that it prints. */
export interface RecipeRun {
  readonly printed: string;
  readonly promised: string;
}

const BLANK_ENDS = / +$/gm;
const START = 'await runHost(ShopModule);';

/**
 * Runs the TypeScript of a recipe as a reader would: the app of its blocks, then what tries it, on
 * free ports and in an empty folder.
 *
 * @param shop the descriptor set of recipes that show no .proto file.
 */
export async function runRecipe(root: string, page: string, shop: string): Promise<RecipeRun> {
  const blocks = codeBlocksOf(root, page);
  const [proto] = blocks.filter(({ language }) => language === 'proto');
  const [promised] = blocks.filter(({ language }) => language === 'text');
  const code = blocks.filter(({ language }) => language === 'ts').map(textOf);
  const files = mkdtempSync(join(tmpdir(), 'apix-recipe-'));
  const [http, grpc] = [await freePort(), await freePort()];
  const source = `
    import 'reflect-metadata';
    import { connect } from 'node:net';
    ${code.join('\n').replace(START, startAndWait(http))}
    process.kill(process.pid, 'SIGTERM');
    await running;`
    .replaceAll(
      'gen/shop.binpb',
      proto === undefined ? shop : buildSet(root, files, 'set.binpb', proto.code),
    )
    .replaceAll('port: 3000', `port: ${http}, host: '127.0.0.1'`)
    .replaceAll('port: 50051', `port: ${grpc}, host: '127.0.0.1'`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${http}`)
    .replace(/const FOLDER = '\w+'/, () => `const FOLDER = ${JSON.stringify(join(files, 'out'))}`);
  const folder = pathToFileURL(join(root, 'apps/demo/src/'));
  const recipe = await program({ code: source, folder });
  try {
    const { out, err } = await recipe.run().ended;
    return {
      printed: (out + err).replaceAll(BLANK_ENDS, ''),
      promised: promised!.code.replaceAll(BLANK_ENDS, ''),
    };
  } finally {
    await recipe.remove();
    rmSync(files, { recursive: true });
  }
}

/** What a block takes as given is imported; what it declares is in the blocks before it. */
function textOf({ code, given }: { readonly code: string; readonly given: string }): string {
  const imports = given.split('\n').filter((line) => line.startsWith('import '));
  return [...imports, code].join('\n');
}

/** The host runs beside the calls of the recipe, which begin when HTTP listens: the last to start. */
function startAndWait(port: number): string {
  return `
    const running = runHost(ShopModule, { nest: { logger: false }, drain: { delay: 0 } });
    for (let listens = false; !listens; ) {
      listens = await new Promise((resolve) => {
        const socket = connect(${port}, '127.0.0.1');
        socket.once('connect', () => (socket.destroy(), resolve(true)));
        socket.once('error', () => setTimeout(resolve, 20, false));
      });
    }`;
}
