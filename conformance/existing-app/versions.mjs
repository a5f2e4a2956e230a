/** The lines of Nest's packages that go together, by Nest's major version. */
export const NEST = {
  11: { cli: '11', core: '11', graphql: '13', schedule: '6', own: '11', bullmq: '5', static: '8' },
  12: {
    cli: '12',
    core: '12',
    graphql: '14',
    schedule: '12',
    own: '12',
    bullmq: '6',
    static: '10',
  },
};

export const PLATFORMS = ['express', 'fastify'];

/** What the team has installed beside what the Nest CLI did. */
export function dependenciesOf(nest, platform) {
  const { core, graphql, schedule, own, bullmq, static: files } = NEST[nest];
  return [
    `@nestjs/microservices@${core}`,
    `@nestjs/websockets@${core}`,
    `@nestjs/platform-socket.io@${core}`,
    `@nestjs/graphql@${graphql}`,
    `@nestjs/apollo@${graphql}`,
    `@nestjs/bullmq@${own}`,
    `@nestjs/schedule@${schedule}`,
    `@nestjs/terminus@${own}`,
    `@nestjs/swagger@${own}`,
    '@apollo/server@5',
    '@grpc/grpc-js@1',
    '@grpc/proto-loader@0.8',
    `bullmq@${bullmq}`,
    'class-transformer@0.5',
    'class-validator@0.15',
    'graphql@16',
    'graphql-ws@6',
    'ioredis@5',
    ...(platform === 'express'
      ? ['@as-integrations/express5@1', 'helmet@8']
      : [
          // The last that takes a @fastify/static which Jest can load as CommonJS on every Node.
          `@nestjs/platform-fastify@${nest === '11' ? '11.1.9' : core}`,
          '@as-integrations/fastify@3',
          '@fastify/helmet@13',
          `@fastify/static@${files}`,
        ]),
  ];
}

/** What its tests need. */
export const DEV_DEPENDENCIES = ['socket.io-client@4'];
