// The app of docs/recipes/pm2.md as its reader has it: dist/main.js and ecosystem.config.cjs in one folder.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from '../bundle.mjs';
import { openPage } from '../guides/page.mjs';

/** What the page calls `OrdersModule` is the reader's own; it serves what the load asks for. */
const ORDERS = `
import { Body, Controller, Get, Post } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
@Controller()
class Orders {
  @Get('now') now() { return 'now'; }
  @Get('slow') async slow() { await sleep(100); return 'slow'; }
  @Post('upload') upload(@Body('text') text: string) { return String(text.length); }
}
@Module({ controllers: [Orders] })
class OrdersModule {}
`;

/** Writes the app into a folder. */
export async function writeRecipe(folder) {
  const page = await openPage('docs/recipes/pm2.md', []);
  const code = [page.block('ts', 1), page.block('ts', 0), ORDERS];
  await mkdir(folder, { recursive: true });
  const contents = inOrder(code).replace('port: 3000', 'port: Number(process.env.PORT)');
  await bundle({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile: join(folder, 'dist/main.js'),
  });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'ecosystem.config.cjs'), page.block('js', 0));
}

/** Imports are hoisted, classes are not: those that the last block names come before it. */
function inOrder([main, ready, orders]) {
  const [imports, rest] = split(main);
  return [imports, ready, orders, rest].join('\n');
}

function split(code) {
  const at = code.indexOf('\n\n');
  return [code.slice(0, at), code.slice(at)];
}
