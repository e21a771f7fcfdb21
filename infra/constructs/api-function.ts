import type { Construct } from 'constructs';
import type { RouteGroup } from '../../shared/platform/contract/route.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/** The function that serves the routes of one group. */
export class ApiFunction extends ServiceFunction {
  readonly group: RouteGroup;

  constructor(scope: Construct, group: RouteGroup, props: ServiceFunctionProps) {
    super(scope, group.name, props);
    this.group = group;
  }
}
