import { functionUrls } from '../../../infra/local/functions/function-urls.ts';
import type { LocalFunction } from '../../../infra/local/functions/local-function.ts';
import { readTemplates } from '../../../infra/local/template/template.ts';

const target = { 'Fn::GetAtt': ['Receiver', 'Arn'] };
const permission = (more: object) => ({
  Type: 'AWS::Lambda::Permission',
  Properties: { FunctionName: target, Principal: '*', ...more },
});
const mayCall = permission({ Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' });
const mayInvoke = permission({ Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true });

const urlsOf = (permissions: readonly object[], more: object = {}) =>
  functionUrls(
    readTemplates(
      {
        service: {
          Resources: {
            Receiver: { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'receiver' } },
            Url: {
              Type: 'AWS::Lambda::Url',
              Properties: { TargetFunctionArn: target, AuthType: 'NONE', ...more },
            },
            ...Object.fromEntries(permissions.map((one, index) => [`Permission${index}`, one])),
          },
        },
      },
      { awsEndpoint: 'http://127.0.0.1:1' },
    ),
    () => ({}) as LocalFunction,
  );

describe('the address of a function', () => {
  it('is served when anybody may call it', () => {
    expect([...urlsOf([mayCall, mayInvoke]).keys()]).toEqual(['/function-urls/service-Url/']);
  });

  it.each([
    ['the call', [mayInvoke]],
    ['the invocation', [mayCall]],
  ])('stops the start without the permission of %s, which Lambda requires', (_, permissions) => {
    expect(() => urlsOf(permissions)).toThrow('Nobody may call the address of');
  });

  it.each([{ AuthType: 'AWS_IAM' }, { InvokeMode: 'RESPONSE_STREAM' }, { Cors: {} }])(
    'stops the start with what is not supported: %j',
    (more) => {
      expect(() => urlsOf([mayCall, mayInvoke], more)).toThrow('does not support AWS::Lambda::Url Url');
    },
  );
});
