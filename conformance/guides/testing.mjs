// docs/guides/testing.md: its app, its tests, on Jest and on Vitest.
import { COMPILER, TSCONFIG } from './compiler.mjs';
import { expectLines } from './workplace.mjs';

const APP =
  'npm install @apix/authz @apix/hostx @apix/logx @nestjs/common@12 @nestjs/core@12 ' +
  '@nestjs/platform-express@12 reflect-metadata rxjs';
const TESTS = [
  'an order has its price',
  'staff reads orders',
  'the outbox runs as long as the app',
  'everybody reads orders where the guard is replaced',
];

export async function testing(place, page) {
  await place.sh(`${APP}\n${COMPILER}`);
  await place.write('tsconfig.json', TSCONFIG);
  await place.write('src/shop.ts', `import 'reflect-metadata';\n${page.block('ts', 0)}`);
  const unit = `import { Orders, Prices } from './shop.js';\n${page.block('ts', 1)}`;
  const whole = `import { Outbox, Prices, ShopModule } from './shop.js';\n${page.block('ts', 2)}`;
  await place.write('src/orders.spec.ts', unit);
  await place.write('src/shop.spec.ts', whole);

  await place.sh(page.block('sh', 0));
  await place.write('jest.config.mjs', page.block('js', 0));
  const jest = await place.sh(`${page.block('sh', 1).trim()} --verbose --forceExit=false 2>&1`);
  expectLines(jest, [...TESTS, 'Tests:       4 passed, 4 total'].join('\n'));
  if (/did not exit/.test(jest)) throw new Error(`Jest does not end by itself\n${jest}`);
  // Types too, as the compiler of the app sees them.
  await place.sh('npx tsc --noEmit');

  await place.sh(page.block('sh', 2));
  await place.write('vitest.config.mjs', page.block('js', 1));
  await place.write('src/orders.spec.ts', unit.replace('@jest/globals', 'vitest'));
  await place.write('src/shop.spec.ts', whole.replace('@jest/globals', 'vitest'));
  const vitest = await place.sh(`${page.block('sh', 3).trim()} --reporter=verbose 2>&1`);
  expectLines(vitest, [...TESTS, '4 passed (4)'].join('\n'));
}
