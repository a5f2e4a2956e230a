import { GatewayRef } from '@apix/gateway';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

/** Puts the hand-written controllers next to the RPCs, in the one document of the docs page. */
export function describeControllers(app: INestApplication): void {
  const document = SwaggerModule.createDocument(
    app,
    new DocumentBuilder().addBearerAuth({ type: 'http', scheme: 'bearer' }).build(),
  );
  app.get(GatewayRef).addOpenApi(document);
}
