import { AuthzModule, Public } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { HostPageModule } from '@apix/host-page';
import { HostxModule } from '@apix/hostx';
import { ProtoModule } from '@apix/proto';
import { NestFactory } from '@nestjs/core';
import type { PolicyMatrix } from '../../libs/host-page/src/section-views.js';

/** A descriptor set, and how an app enforces its policies. */
export interface Enforced {
  readonly file: string;
  readonly unannotated: 'allow' | 'deny';
  /** The types of the records that conditions read. */
  readonly records: readonly string[];
}

class Root {}

/** What the host page of an app sends to the tab Policies. */
export async function pageMatrix({ file, unannotated, records }: Enforced): Promise<PolicyMatrix> {
  const imports = [
    ProtoModule.forRoot({ descriptors: file }),
    HostxModule.forRoot({}),
    AuthzModule.forRoot({
      subject: () => null,
      unannotated,
      conditions: celConditions(),
      loaders: Object.fromEntries(records.map((type) => [type, () => null])),
    }),
    HostPageModule.forRoot({ public: true, decorators: [Public()] }),
  ];
  const app = await NestFactory.create(
    { module: Root, imports },
    { logger: false, abortOnError: false },
  );
  try {
    await app.listen(0, '127.0.0.1');
    const answer = await fetch(`${await app.getUrl()}/host/policies/matrix`);
    if (answer.status !== 200) throw new Error(`the host page answered ${answer.status}`);
    return (await answer.json()) as PolicyMatrix;
  } finally {
    await app.close();
  }
}
