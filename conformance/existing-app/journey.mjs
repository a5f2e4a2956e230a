import assert from 'node:assert/strict';
import { join } from 'node:path';
import { recordAnswers } from './answers/record.mjs';
import { differencesOf, lineOf, unexplained } from './compare.mjs';
import { doDay, filesOf, undoDay } from './day.mjs';
import { WORK, checkNothingLost, endWith } from './ending.mjs';
import { freePort, startRedis } from './redis.mjs';
import { shell } from './shell.mjs';
import { createStockApp, withoutExtension } from './stock-app.mjs';

/** Work that nothing but the host waits for: requests hold up the end of stock Nest too. */
const BACKGROUND = ['cron', 'event', 'job', 'message', 'websocket'];

/** Every day of the guide, and all of them undone; throws at the first thing that is not as it says. */
export async function takeThrough({ registry, guide, nest, platform, keep }) {
  const { folder, remove } = await createStockApp(registry, nest, platform);
  const app = { folder, nest };
  console.log(`made in ${folder}`);
  try {
    await checkShown(app, guide.shown);
    const first = await tryOut(app);
    console.log(`${Object.keys(first).length} answers recorded`);
    await loseWork(app);
    const behind = [];
    let before = first;
    for (const day of guide.days) {
      behind.push({ day, files: await filesOf(folder), answers: before });
      console.log(`\n${day.title}`);
      complain(await doDay(app, day));
      before = await compareWith(before, app, day);
      await endInOrder(app, await filesOf(folder));
    }
    while (behind.length > 0) {
      const { day, files } = behind.pop();
      await undoDay(app, day);
      assert.deepEqual(await filesOf(folder), files, `${day.title}: undone, files differ`);
    }
    const differing = differencesOf(first, await tryOut(app)).map(lineOf);
    assert.deepEqual(differing, [], 'all undone, answers differ');
    console.log('\nall undone: files and answers are as before');
  } finally {
    if (!keep) await remove();
  }
}

/** The page shows the app as it is. */
async function checkShown({ folder, nest }, shown) {
  const files = await filesOf(folder);
  for (const { file, text } of shown) {
    const expected = nest === '11' ? withoutExtension(text) : text;
    assert.equal(files.get(file), expected, `the guide shows another ${file}`);
  }
}

/** Builds it, has its own suite pass, and records its answers. */
async function tryOut({ folder }) {
  await shell(folder, 'npm run build');
  const redis = await startRedis();
  try {
    await shell(folder, 'npm run test:e2e', {
      REDIS_PORT: String(redis.port),
      GRPC_PORT: String(await freePort()),
    });
  } finally {
    await redis.stop();
  }
  return recordAnswers(folder);
}

/** The control: if stock Nest lost nothing, finding nothing lost later would say nothing. */
async function loseWork({ folder }) {
  const { code, done } = await endWith(folder, BACKGROUND);
  const lost = BACKGROUND.filter((name) => !done.includes(name));
  const ending = code === 'SIGKILL' ? 'does not end' : `ends with ${code}`;
  console.log(`stock Nest, SIGTERM: loses ${lost.join(', ') || 'nothing'}, ${ending}`);
  assert.ok(lost.length > 0 || code === 'SIGKILL', 'the control must lose work, or not end');
}

async function compareWith(before, app, { differences: rows }) {
  const after = await tryOut(app);
  const differences = differencesOf(before, after);
  const { differing, used } = unexplained(differences, rows);
  assert.deepEqual(differing.map(lineOf), [], 'answers differ, and the guide does not say so');
  for (const row of used) row.isUsed = true;
  console.log(`the suite passes; ${differences.length} differences, all in the guide`);
  return after;
}

async function endInOrder({ folder }, files) {
  const isHosted = files.get(join('src', 'main.ts')).includes('runHost');
  if (!isHosted && !files.get(join('src', 'app.module.ts')).includes('HostxModule')) return;
  for (const work of [BACKGROUND, WORK]) {
    const ending = await endWith(folder, work);
    checkNothingLost(work, isHosted ? 0 : 'SIGTERM', ending);
    console.log(
      `SIGTERM: done ${ending.done.join(', ')}; ends with ${ending.code} after ${ending.ms} ms`,
    );
  }
}

/** An install that prints more than a count is one that a reader stops at. */
function complain(printed) {
  const warnings = printed.split('\n').filter((line) => /^npm (warn|error)/i.test(line));
  for (const line of warnings) console.log(`  ${line}`);
}
