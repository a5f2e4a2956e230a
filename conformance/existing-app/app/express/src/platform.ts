import type { INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import helmet from 'helmet';

export const adapter = () => new ExpressAdapter();

export async function secure(app: INestApplication): Promise<void> {
  app.use(helmet());
}
