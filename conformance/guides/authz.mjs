// docs/guides/add-authz.md, then docs/guides/testing-policies.md.
import { COMPILER, TSCONFIG } from './compiler.mjs';
import { expectLines } from './workplace.mjs';

/** What the app has before anything of apix is in it. */
const BEFORE =
  'npm install @nestjs/common@12 @nestjs/core@12 @nestjs/microservices@12 @nestjs/platform-express@12 ' +
  '@grpc/grpc-js @grpc/proto-loader reflect-metadata rxjs';

const CONTROLLERS = `import 'reflect-metadata';
import { GrpcMethod } from '@nestjs/microservices';
@Controller() class OrdersController {
  @GrpcMethod('Orders', 'Get') get({ id }: { id: string }) { return { id }; }
  @GrpcMethod('Orders', 'Cancel') cancel({ id }: { id: string }) { return { id }; }
}
@Controller('health') class HealthController { @Get() check() { return 'ok'; } }
`;

const ASK = `
const { loadPackageDefinition, credentials } = await import('@grpc/grpc-js');
const { loadSync } = await import('@grpc/proto-loader');
const includeDirs = ['proto', 'node_modules/@apix/authz/proto'];
const { shop } = loadPackageDefinition(loadSync('shop/v1/orders.proto', { includeDirs }));
const client = new shop.v1.Orders('localhost:50051', credentials.createInsecure());
client.Cancel({ id: 'o1' }, (error, order) => { console.log(error?.code ?? order.id); client.close(); });
`;

export async function addAuthz(place, page, identity) {
  await place.sh(`${BEFORE}\n${COMPILER}`);
  await place.write('tsconfig.json', TSCONFIG);
  await place.sh(page.block('sh', 0));
  await place.sh('npm install jose');
  await place.write('proto/shop/v1/orders.proto', page.block('proto'));
  await place.write('buf.yaml', page.block('yaml'));
  expectLines(await place.sh(page.block('sh', 1)), page.block('text', 0));

  const controllers = page.block('ts', 1);
  const app = page
    .block('ts', 0)
    .replaceAll('https://id.example.com', identity.issuer)
    .replace('ReportsController]', 'ReportsController, HealthController]');
  const main = `${controllers}${CONTROLLERS}${app}console.log('it listens');\n`;
  const stock = main
    .replaceAll(/@(?:DefaultRequires|EnforceMethod)\(.*\)\n/g, '')
    .replace('@CurrentSubject() who: Subject', '')
    .replace('who.id', "'nobody'")
    .replace(/import \{ CurrentSubject.*\n/, "import { Public } from '@apix/authz';\n");
  await place.write('src/main.ts', stock);
  await place.write('ask.mjs', ASK);
  await place.sh('npx tsc');
  const shadow = await place.start('node dist/main.js', 'it listens');
  for (const path of ['reports', 'health']) await fetch(`http://localhost:3000/${path}`);
  expectLines(await place.sh('node ask.mjs'), 'o1');
  expectLines(shadow.output, page.block('text', 2).replace('list anonymous', 'list unannotated'));
  await shadow.stop();

  await place.write('src/main.ts', main.replace("      mode: 'shadow',\n", ''));
  await place.sh('npx tsc');
  const service = await place.start('node dist/main.js', 'it listens');
  const tokens = {
    STAFF: identity.token({ roles: ['staff'] }),
    ADMIN: identity.token({ roles: ['admin'], scope: 'orders:write' }),
  };
  await place.dialogue(page.block('console'), tokens);
  expectLines(await place.sh('node ask.mjs'), '16');
  return { service, tokens, proto: page.block('proto') };
}

export async function testPolicies(place, page, proto) {
  await place.write('policies.yaml', page.block('yaml', 0));
  expectLines(await place.sh(page.block('sh', 0)), page.block('text', 0));
  expectLines(await place.failing(page.block('sh', 2)), page.block('text', 4));
  await place.sh('mv gen/shop.binpb old.binpb');
  const changed = proto.replace('["staff"]', '["staff", "support"]').replace(/perm.*\n/, '');
  await place.write('proto/shop/v1/orders.proto', changed);
  await place.sh('npx buf build proto --as-file-descriptor-set -o gen/shop.binpb');
  expectLines(await place.failing(page.block('sh', 1)), page.block('text', 3));
}
