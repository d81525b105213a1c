import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { PipeTransform, RequestMethod } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';

interface Parameter {
  pipes: PipeTransform[];
}

/** A route as its controller's decorators describe it. Changes count when made before `init`. */
export interface Route {
  handler: object;
  /** Path of its controller, such as `api/v2/organizations/:organization_id/tasks`. */
  controllerPath: string;
  method: RequestMethod;
  /** Its parameters of one kind. */
  parameters(kind: RouteParamtypes): Parameter[];
}

/** Adds to what Fastify knows of a route (`routeOptions.config`). */
export function configure({ handler }: Route, config: object): void {
  const known = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as object | undefined;
  Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...known, ...config }, handler);
}

/** All routes of the application. */
export function routesOf(app: NestFastifyApplication): Route[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.controllers.values(),
  ]);
  const classes = new Set(controllers.map(({ metatype }) => metatype).filter((one) => one !== null));
  return [...classes].flatMap((type) => routesIn(type as new () => object));
}

function routesIn(controller: new () => object): Route[] {
  const controllerPath = String(Reflect.getMetadata(PATH_METADATA, controller));
  return methodsOf(controller.prototype as object).flatMap(([name, value]) => {
    if (typeof value !== 'function') return [];
    const method = Reflect.getMetadata(METHOD_METADATA, value) as RequestMethod | undefined;
    if (method === undefined) return [];
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
      string,
      Parameter
    >;
    return {
      handler: value,
      controllerPath,
      method,
      parameters: (kind: RouteParamtypes) =>
        Object.keys(parameters)
          .filter((key) => key.startsWith(`${kind}:`))
          .map((key) => parameters[key]!),
    };
  });
}

/** The methods of a class and of those that it extends, by name. */
function methodsOf(prototype: object | null): [name: string, method: unknown][] {
  if (prototype === null || prototype === Object.prototype) return [];
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  const inherited = methodsOf(Object.getPrototypeOf(prototype) as object | null);
  const names = new Set(own.map(([name]) => name));
  return [
    ...own.map(([name, { value }]): [string, unknown] => [name, value]),
    ...inherited.filter(([name]) => !names.has(name)),
  ];
}
