/** Sources of apps that teams have made of the one of the CLI. */

export const HEROES_PROTO = `syntax = "proto3";
package hero;

service HeroService {
  rpc FindOne(HeroName) returns (Hero);
}

message HeroName {
  string name = 1;
}

message Hero {
  string title = 1;
}
`;

export const HEROES = `import { Controller, Get, Param } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';

@Controller('heroes')
export class HeroesController {
  @Get(':name')
  get(@Param('name') name: string) {
    return { name };
  }

  @GrpcMethod('HeroService', 'FindOne')
  findOne({ name }: { name: string }) {
    return { title: \`Hero \${name}\` };
  }
}
`;

const HEALTH = `import { Controller, Get } from '@nestjs/common';
import { HealthCheck, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';

@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([() => this.indicators.check('db').up()]);
  }
}
`;

/** A guard, a filter and DTOs of the team. */
const TEAM = `import {
  type ArgumentsHost, Body, type CanActivate, Catch, Controller, type ExceptionFilter, type ExecutionContext, Get,
  HttpException, Injectable, Post,
} from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';

export class Order {
  @IsString() name!: string;
  @IsInt() count!: number;
}

@Controller('orders')
export class OrdersController {
  @Get()
  list() {
    return [];
  }

  @Post()
  create(@Body() order: Order) {
    return order;
  }
}

@Injectable()
export class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    return context.switchToHttp().getRequest().headers['x-key'] !== 'wrong';
  }
}

@Catch(HttpException)
export class TeamFilter implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost) {
    const answer = host.switchToHttp().getResponse();
    const body = { team: error.message };
    if (typeof answer.send === 'function') answer.status(error.getStatus()).send(body);
  }
}
`;

/** The parts of a team's app, each with its file and its place in the root module. */
const PARTS = {
  heroes: {
    files: { 'src/heroes.controller.ts': HEROES },
    imports: ["import { HeroesController } from './heroes.controller.js';"],
    controllers: ['HeroesController'],
  },
  terminus: {
    files: { 'src/health.controller.ts': HEALTH },
    imports: [
      "import { TerminusModule } from '@nestjs/terminus';",
      "import { HealthController } from './health.controller.js';",
    ],
    modules: ['TerminusModule'],
    controllers: ['HealthController'],
  },
  pino: {
    imports: ["import { LoggerModule } from 'nestjs-pino';"],
    modules: ['LoggerModule.forRoot()'],
  },
  config: {
    files: { '.env': 'AUDIENCE=shop\n' },
    imports: ["import { ConfigModule } from '@nestjs/config';"],
    modules: ['ConfigModule.forRoot()'],
  },
  team: {
    files: { 'src/team.ts': TEAM },
    imports: [
      "import { APP_FILTER, APP_GUARD } from '@nestjs/core';",
      "import { KeyGuard, OrdersController, TeamFilter } from './team.js';",
    ],
    controllers: ['OrdersController'],
    providers: [
      '{ provide: APP_GUARD, useClass: KeyGuard }',
      '{ provide: APP_FILTER, useClass: TeamFilter }',
    ],
  },
};

/** The files of an app with these parts. */
export function withParts(...names) {
  const parts = names.map((name) => PARTS[name]);
  const all = (list) => parts.flatMap((part) => part[list] ?? []);
  return {
    ...Object.assign({}, ...parts.map(({ files }) => files)),
    'src/app.module.ts': `import { Module } from '@nestjs/common';
import { AppController } from './app.controller.js';
import { AppService } from './app.service.js';
${all('imports').join('\n')}

@Module({
  imports: [${all('modules').join(', ')}],
  controllers: [${['AppController', ...all('controllers')].join(', ')}],
  providers: [${['AppService', ...all('providers')].join(', ')}],
})
export class AppModule {}
`,
  };
}

/** A main: `made` are the further arguments of `create`, `after` is what follows. */
export function main({ imports = [], made = '', after = [] }) {
  return `import { NestFactory } from '@nestjs/core';
${imports.join('\n')}
import { AppModule } from './app.module.js';

async function bootstrap() {
  const app = await NestFactory.create(AppModule${made});
${after.map((line) => `  ${line}\n`).join('')}  await app.listen(process.env.PORT ?? 3000);
}
void bootstrap();
`;
}

/** What connects Nest's own gRPC transport in a main. */
export function grpcTransport(proto, second = '') {
  return `app.connectMicroservice({
    transport: Transport.GRPC,
    options: {
      package: 'hero',
      protoPath: '${proto}',
      url: \`0.0.0.0:\${process.env.GRPC_PORT ?? 50051}\`,
    },
  }${second});
  await app.startAllMicroservices();`;
}
