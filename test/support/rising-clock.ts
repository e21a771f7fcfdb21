/**
 * A clock that starts now and is a millisecond later each time it is read, so that what is written in turn also sorts in
 * that order.
 */
export function risingClock(): () => Date {
  let time = Date.now();
  return () => {
    time += 1;
    return new Date(time);
  };
}
