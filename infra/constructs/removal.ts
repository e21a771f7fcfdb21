import { RemovalPolicy } from 'aws-cdk-lib';
import type { Environment } from '../environments.ts';

/**
 * The removal policy of resources with data. If the environment keeps its data, they are retained when they are replaced
 * or their stack is deleted. When their creation is rolled back, they are deleted: they are empty, and their names would
 * make the next attempt fail.
 */
export const removalOf = ({ keepsData }: Environment): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
