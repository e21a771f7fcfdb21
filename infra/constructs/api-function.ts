import type { Construct } from 'constructs';
import type * as z from 'zod/mini';
import type { RouteGroup } from '../../shared/platform/contract/route.ts';
import { functionLimit } from '../time-limits.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

type ApiFunctionProps<Schema extends z.core.$ZodObject> = Omit<
  ServiceFunctionProps<Schema>,
  'timeout' | 'aliased'
>;

/** The function that serves the routes of one group. */
export class ApiFunction<
  Schema extends z.core.$ZodObject = z.core.$ZodObject,
> extends ServiceFunction<Schema> {
  readonly group: RouteGroup;

  constructor(scope: Construct, group: RouteGroup, props: ApiFunctionProps<Schema>) {
    super(scope, group.name, { ...props, timeout: functionLimit(group), aliased: true });
    this.group = group;
  }
}
