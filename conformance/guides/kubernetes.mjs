// docs/guides/kubernetes.md and the parts of docs/guides/systemd.md and windows.md that need no machine.
import { expectLines } from './workplace.mjs';

const ORDERS = `import 'reflect-metadata';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { ProtoModule } from '@apix/proto';
@Module({ imports: [ProtoModule.forRoot({ descriptors: 'gen/shop.binpb' }), GrpcModule.forRoot(), GatewayModule.forRoot()] })
class OrdersModule {}
`;

/** In the folder of the gateway, which has the descriptors. */
export async function kubernetes(place, page, systemd, windows) {
  await place.sh('npm install @apix/grpc @nestjs/microservices@12');
  await place.write('src/main.ts', ORDERS + page.block('ts', 0));
  await place.sh('npx tsc');
  const app = await place.start('node dist/main.js', 'Host is running');
  await place.dialogue(page.block('console', 0));
  await place.dialogue(page.block('console', 1), { PID: String(app.pid) });
  if ((await app.ended) !== 0) throw new Error(`the app ended badly\n${app.output}`);

  await place.sh(systemd.block('sh', 0));
  await place.sh(windows.block('sh', 0));
  const command = systemd.block('sh', 2);
  if (!(await isThere('systemd-socket-activate'))) {
    console.log('    skipped: this machine has no systemd-socket-activate');
    return;
  }
  const activated = await place.start(command, 'Listening on [::]:50051');
  const answer = await fetch('http://localhost:3000/readyz');
  if (answer.status !== 200) throw new Error(`/readyz says ${answer.status}`);
  expectLines(activated.output, systemd.block('text', 0));
  await activated.stop();

  async function isThere(program) {
    return (await place.sh(`command -v ${program} || true`)) !== '';
  }
}
