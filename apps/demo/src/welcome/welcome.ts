import { ownProcessMark } from '@apix/contracts';
import { GrpcServer } from '@apix/grpc';
import { HostRef, OnStarted } from '@apix/hostx';
import { LOGX_LOGGER, type Logger as EventLogger } from '@apix/logx';
import { PAYMENTS_PORT } from '../checkout/payments-port.js';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN, DemoIssuer, PLAIN } from '../identity/demo-issuer.js';
import { OfficeKey } from '../office/office-key.js';
import { isForTrying, setting } from '../settings.js';
import { welcomeText } from './welcome-text.js';

const LIFETIME = '30d';
/** Milliseconds between two looks whether the host says that it runs. */
const LOOK_EVERY = 20;

/** Once everything is up, prints what can be tried. Except in Development and Test it prints no lines and no secrets. */
@Injectable()
export class Welcome {
  private readonly logger = new Logger('Shop');

  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(GrpcServer) private readonly grpc: GrpcServer,
    @Inject(DemoIssuer) private readonly issuer: DemoIssuer,
    @Inject(PAYMENTS_PORT) private readonly paymentsPort: number,
    @Inject(OfficeKey) private readonly office: OfficeKey,
    @Inject(HostRef) private readonly host: HostRef,
    @Inject(LOGX_LOGGER) private readonly events: EventLogger,
  ) {}

  @OnStarted()
  async print(): Promise<void> {
    // Of several processes the first one says it.
    if ((ownProcessMark()?.index ?? 1) > 1) return;
    if (!isForTrying()) return this.warn();
    const http: Server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    const { port } = http.address() as AddressInfo;
    const text = welcomeText({
      http: `http://localhost:${port}`,
      payments: `127.0.0.1:${this.paymentsPort}`,
      grpc: `localhost:${this.grpc.port}`,
      plain: await this.issuer.token(PLAIN, LIFETIME),
      admin: await this.issuer.token(ADMIN, LIFETIME),
      office: this.office.shown,
    });
    // Not awaited, since the host runs only after its hooks.
    void this.printLast(text);
  }

  /** After what the host itself says, so that the addresses are the last lines. */
  private async printLast(text: string): Promise<void> {
    while (this.host.state.phase === 'starting') await sleep(LOOK_EVERY);
    if (this.host.state.phase !== 'running') return;
    await this.events.flush();
    console.log(text);
  }

  /** Of what is closed because it was not configured. */
  private warn(): void {
    if (setting('AUTH_JWKS') === undefined) {
      this.logger.warn('AUTH_JWKS is not set: no token is accepted, every caller is anonymous');
    }
    if (this.office.password === undefined) {
      this.logger.warn('OFFICE_PASSWORD is not set: nobody can open the host page');
    }
  }
}
