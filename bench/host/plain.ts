import { NestFactory } from '@nestjs/core';
import { App, ready } from './app.ts';

const app = await NestFactory.create(App, { logger: false });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
ready();
