import { RemovalPolicy } from 'aws-cdk-lib';
import type { Environment } from '../environments.ts';

/**
 * What becomes of a resource that holds data when its stack is deleted or it is replaced: it stays, where the environment
 * keeps its data. When its own creation is rolled back it goes: it is empty, and if it has a name of its own it would be
 * in the way of the next attempt.
 */
export const removalOf = ({ keepsData }: Environment): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
