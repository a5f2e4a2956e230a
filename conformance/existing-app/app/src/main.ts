import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { adapter } from './platform.js';
import { setup } from './setup.js';

async function bootstrap() {
  const app = await NestFactory.create(AppModule, adapter());
  await setup(app);
  await app.startAllMicroservices();
  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
