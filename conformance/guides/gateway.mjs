// docs/guides/gateway-in-front.md, in front of the app of docs/guides/add-authz.md.
import { COMPILER, TSCONFIG } from './compiler.mjs';
import { expectLines } from './workplace.mjs';

const BUF = 'version: v2\nmodules:\n  - path: proto\n  - path: node_modules/@apix/proto/proto\n';

export async function gatewayInFront(place, page, { service, tokens }) {
  await place.sh(page.block('sh', 0));
  await place.sh(COMPILER);
  await place.write('tsconfig.json', TSCONFIG);
  await place.write('buf.yaml', BUF);
  const head = 'syntax = "proto3";\npackage shop.v1;\n';
  await place.write('proto/shop/v1/orders.proto', head + page.block('proto') + page.given('proto'));
  await place.sh(page.block('sh', 1));
  await place.sh(page.block('sh', 2));
  const main = page.block('ts', 0).replace('dns:///orders.internal:50051', 'localhost:50051');
  await place.write('src/main.ts', main);
  await place.sh('npx tsc');
  const gateway = await place.start('node dist/main.js', 'Host is running');
  expectLines(gateway.output, page.block('text', 0));
  await place.dialogue(page.block('console', 0), tokens);
  await service.stop();
  await place.dialogue(page.block('console', 1), tokens);
  await gateway.stop();
}
