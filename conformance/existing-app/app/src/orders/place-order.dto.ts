import { Field, InputType, Int } from '@nestjs/graphql';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsString, Length, Min } from 'class-validator';

@InputType()
export class PlaceOrder {
  @ApiProperty() @Field() @IsString() @Length(2, 40) itemName!: string;
  @ApiProperty() @Field(() => Int) @IsInt() @Min(1) cents!: number;
}
