// Packages of Nest that belong together.

/** The last releases for NestJS 11, and what they bring that tests import as well. */
export const NEST_11 = {
  '@fastify/cors': '11.3.0',
  '@nestjs/apollo': '13.4.5',
  '@nestjs/bull': '11.0.5',
  '@nestjs/bullmq': '11.0.5',
  '@nestjs/common': '11.2.10',
  '@nestjs/core': '11.2.10',
  '@nestjs/graphql': '13.4.5',
  '@nestjs/mercurius': '13.4.5',
  '@nestjs/microservices': '11.2.6',
  '@nestjs/platform-express': '11.2.10',
  '@nestjs/platform-fastify': '11.2.8',
  '@nestjs/platform-socket.io': '11.2.6',
  '@nestjs/platform-ws': '11.2.6',
  '@nestjs/schedule': '6.1.3',
  '@nestjs/swagger': '11.4.7',
  '@nestjs/terminus': '11.1.1',
  '@nestjs/testing': '11.2.6',
  '@nestjs/websockets': '11.2.6',
  fastify: '5.11.3',
};

/** Not peers, but released with @nestjs/core, and an app has them in its version. */
const WITH_CORE = ['@nestjs/platform-express', '@nestjs/platform-fastify', '@nestjs/testing'];

/** The same with @nestjs/websockets. */
const WITH_SOCKETS = ['@nestjs/platform-socket.io', '@nestjs/platform-ws'];

/** With the lowest versions of peers, those of the packages that an app has in the same version. */
export function withCompanions(floors) {
  const core = WITH_CORE.map((name) => [name, floors['@nestjs/core']]);
  const sockets = WITH_SOCKETS.map((name) => [name, floors['@nestjs/websockets']]);
  return { ...floors, ...Object.fromEntries([...core, ...sockets]) };
}
