import { AuthzModule, type SubjectFunc } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { LogxModule } from '@apix/logx';
import { TracingModule } from '@apix/otel';
import { ProtoModule } from '@apix/proto';
import type { DynamicModule } from '@nestjs/common';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { setting } from './settings.js';

/** `Bearer staff` is a caller with the role, who may write. */
const subject: SubjectFunc = ({ metadata }) => {
  const [role] = metadata.get('authorization').map((it) => it.replace('Bearer ', ''));
  return role === undefined ? null : { id: role, roles: [role], permissions: ['orders:write'] };
};

/** What each of the processes has: its log on standard output, and its spans sent by OTLP. */
export function base(serviceName: string): DynamicModule[] {
  return [
    TracingModule.forRoot({
      exporter: new OTLPTraceExporter({ url: setting('OTLP_URL') }),
      resource: resourceFromAttributes({ 'service.name': serviceName }),
    }),
    LogxModule.forRoot({ level: 'information', sinks: [{ type: 'stdout', format: 'json' }] }),
    ProtoModule.forRoot({ descriptors: setting('DESCRIPTORS').split(',') }),
    AuthzModule.forRoot({ subject, unannotated: 'allow', conditions: celConditions() }),
  ];
}
