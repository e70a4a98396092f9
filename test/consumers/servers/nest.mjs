// The parts of an app with Nest. The decorators are called as functions, so that Node.js runs them without a compiler.
import 'reflect-metadata';
import { All, Controller, Module, Req, Res } from '@nestjs/common';

export { NestFactory } from '@nestjs/core';

/** Creates the module of an app, with these controllers. */
export function createAppModule(...controllers) {
  class AppModule {}
  Module({ controllers })(AppModule);
  return AppModule;
}

/** Creates a controller that serves a `NodeHandler`. */
export function createRampController(handle) {
  class RampController {
    serve(req, res) {
      return handle(req, res);
    }
  }
  const { prototype } = RampController;
  Controller('api/ramp')(RampController);
  All('*path')(prototype, 'serve', Object.getOwnPropertyDescriptor(prototype, 'serve'));
  Req()(prototype, 'serve', 0);
  Res()(prototype, 'serve', 1);
  return RampController;
}
