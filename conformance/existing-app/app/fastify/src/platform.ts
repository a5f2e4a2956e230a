import helmet from '@fastify/helmet';
import type { INestApplication } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

export const adapter = () => new FastifyAdapter();

export async function secure(app: INestApplication): Promise<void> {
  await (app as NestFastifyApplication).register(helmet);
}
