// docs/guides/terminus.md, schedule.md and hybrid-apps.md: their programs, as they stand.
import { expectLines } from './workplace.mjs';

const IMPORTS = "import 'reflect-metadata';\n";

const SEND = `
import { ClientProxyFactory, Transport } from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';
const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { port: 4000 } });
for (const pattern of ['sum', 'secret']) {
  const answer = await firstValueFrom(client.send(pattern, [1, 2])).catch((error) => error);
  console.log(pattern, typeof answer === 'object' ? 'refused' : answer);
}
await client.close();
`;

export async function terminus(place, page) {
  await place.sh(page.block('sh'));
  const app = await started(place, page.block('ts'), 'Host is running');
  await place.dialogue(page.block('console'));
  await endsWell(app);
}

export async function schedule(place, page) {
  await place.sh(page.block('sh'));
  const app = await started(place, page.block('ts'), 'sync begins');
  await endsWell(app);
  expectLines(app.output, page.block('text'));
  const [, after = ''] = app.output.split('Host is stopping');
  expectLines(after, 'sync ends');
}

export async function hybridApps(place, page) {
  await place.sh(page.block('sh'));
  await place.write('send.mjs', SEND);
  const plain = page.block('ts', 0);
  const [head] = plain.split('const app = ');
  const hosted = `${page.given('ts', 1).replace(/^.*class AppModule.*$/m, '')}${page.block('ts', 1)}`;
  const inherits = ',\n  { inheritAppConfig: true },\n';
  const mains = [plain, `${head}${withoutTwice(hosted)}`];
  for (const main of mains) {
    const app = await started(place, main, 'Host is running');
    expectLines(await place.sh('node send.mjs'), 'sum 3\nsecret refused');
    const answer = await fetch('http://localhost:3000/sum');
    if ((await answer.text()) !== '0') throw new Error('HTTP answers something else');
    await endsWell(app);
  }

  const apart = plain.replace(inherits, '\n');
  if (apart === plain) throw new Error('the page connects otherwise');
  const open = apart.replace(/ *AuthzModule\.forRoot.*\n/, '');
  const warned = await started(place, open, 'Host is running');
  expectLines(warned.output, page.block('text', 0));
  await endsWell(warned);
  await place.write('src/main.ts', IMPORTS + apart);
  await place.sh('npx tsc -p tsconfig.main.json');
  expectLines(await place.failing('node dist/main.js 2>&1'), page.block('text', 1));
}

/** The program above imports what this one needs, but for runHost. */
function withoutTwice(hosted) {
  return hosted.replace(/^import \{ Transport \}.*$/m, '');
}

async function started(place, main, ready) {
  await place.write('src/main.ts', IMPORTS + main);
  await place.write(
    'tsconfig.main.json',
    '{"extends":"./tsconfig.json","include":["src/main.ts"]}',
  );
  await place.sh('npx tsc -p tsconfig.main.json');
  return place.start('node dist/main.js', ready);
}

/** With `enableShutdownHooks` Nest ends the process by the signal once it has closed the app. */
async function endsWell(app) {
  const code = await app.stop();
  if (code !== 0 && code !== 'SIGTERM') throw new Error(`ended with ${code}\n${app.output}`);
  expectLines(app.output, 'Host is stopped');
}
