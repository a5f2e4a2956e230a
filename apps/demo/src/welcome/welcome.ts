import { GrpcServer } from '@apix/grpc';
import { OnStarted } from '@apix/hostx';
import { PAYMENTS_PORT } from '../checkout/payments-port.js';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ADMIN, DemoIssuer, PLAIN } from '../identity/demo-issuer.js';
import { OfficeKey } from '../office/office-key.js';
import { welcomeText } from './welcome-text.js';

/** Says, once everything is up, what can be tried. */
@Injectable()
export class Welcome {
  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(GrpcServer) private readonly grpc: GrpcServer,
    @Inject(DemoIssuer) private readonly issuer: DemoIssuer,
    @Inject(PAYMENTS_PORT) private readonly paymentsPort: number,
    @Inject(OfficeKey) private readonly office: OfficeKey,
  ) {}

  @OnStarted()
  async print(): Promise<void> {
    const http: Server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    const { port } = http.address() as AddressInfo;
    const text = welcomeText({
      http: `http://localhost:${port}`,
      payments: `127.0.0.1:${this.paymentsPort}`,
      grpc: `localhost:${this.grpc.port}`,
      plain: await this.issuer.token(PLAIN),
      admin: await this.issuer.token(ADMIN),
      office: this.office.shown,
    });
    console.log(text);
  }
}
