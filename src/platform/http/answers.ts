import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { Schema, View } from './view.js';

/** How a route answers. */
export interface Answer {
  readonly status: number;
  readonly envelope: 'data' | 'page' | 'none';
  /** Absent: an empty body, or one that the handler writes itself. */
  readonly view?: View<never>;
  /** For what the handler gives as it is, without a view. */
  readonly schema?: Schema;
  /** The media type of a body that is no JSON. */
  readonly mediaType?: string;
  /** What is said to people beside the data. */
  readonly message?: (given: never) => string;
  /** Another status, with the same body, for some of what the handler gives. */
  readonly otherwise?: { readonly status: number; readonly when: (given: never) => boolean };
}

export const ANSWER = Symbol('answer');

const answers = (answer: Answer) => applyDecorators(HttpCode(answer.status), SetMetadata(ANSWER, answer));

/** 200 `{ data: record }`. */
export const Answers = <Row>(view: View<Row>) => answers({ status: 200, envelope: 'data', view });

/** `{ data: record }`, with `status` where `when` says so and 200 else. */
export const AnswersEither = <Row>(view: View<Row>, status: number, when: (given: Row) => boolean) =>
  answers({ status: 200, envelope: 'data', view, otherwise: { status, when } });

/** 201 `{ data: record }`. */
export const AnswersCreated = <Row>(view: View<Row>) => answers({ status: 201, envelope: 'data', view });

/** 200 `{ data: record, message }`. */
export const AnswersSaying = <Row>(view: View<Row>, message: (given: Row) => string) =>
  answers({ status: 200, envelope: 'data', view, message });

/** 201 `{ data: record, message }`. */
export const AnswersCreatedSaying = <Row>(view: View<Row>, message: (given: Row) => string) =>
  answers({ status: 201, envelope: 'data', view, message });

/** 201 with the bare record. */
export const AnswersBare = <Row>(view: View<Row>, status = 201) => answers({ status, envelope: 'none', view });

/** 200 with the pagination envelope around the records of a `Page`. */
export const AnswersPage = <Row>(view: View<Row>) => answers({ status: 200, envelope: 'page', view });

/** `{ data: … }` around what the handler gives, described by a schema. */
export const AnswersData = (schema: Schema, status = 200) => answers({ status, envelope: 'data', schema });

/** 200 with `{ data: [record, …] }`, without pages. */
export const AnswersAll = <Row>(view: View<Row>) => answers({ status: 200, envelope: 'data', ...each(view) });

/** 201 `{ data: [record, …], message }`. */
export const AnswersAllCreatedSaying = <Row>(view: View<Row>, message: (given: readonly Row[]) => string) =>
  answers({ status: 201, envelope: 'data', ...each(view), message });

const each = <Row>(view: View<Row>): Pick<Answer, 'view' | 'schema'> => ({
  view: { ...view, toJson: (rows: readonly Row[]) => rows.map((row) => view.toJson(row)) },
  schema: { type: 'array' },
});

/** 204 with an empty body. */
export const AnswersNothing = () => answers({ status: 204, envelope: 'none' });

/** The handler writes the response itself, of this media type. */
export const AnswersStream = (mediaType: string, status = 200) => answers({ status, envelope: 'none', mediaType });
