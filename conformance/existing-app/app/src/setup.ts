import { type INestApplication, ValidationPipe } from '@nestjs/common';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { secure } from './platform.js';
import { settings } from './settings.js';

/** What main.ts and the tests do between `create` and `listen`. */
export async function setup(app: INestApplication): Promise<void> {
  app.setGlobalPrefix('api');
  await secure(app);
  app.enableCors({ origin: 'https://shop.example', credentials: true });
  app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  app.enableShutdownHooks();
  app.connectMicroservice<MicroserviceOptions>(
    {
      transport: Transport.GRPC,
      options: {
        package: 'shop.v1',
        protoPath: 'proto/shop/v1/orders.proto',
        url: `0.0.0.0:${settings.grpcPort}`,
      },
    },
    { inheritAppConfig: true },
  );
  app.connectMicroservice<MicroserviceOptions>(
    { transport: Transport.REDIS, options: settings.redis },
    { inheritAppConfig: true },
  );
  const description = new DocumentBuilder().setTitle('Shop').setVersion('1.0').build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, description), {
    useGlobalPrefix: true,
  });
}
